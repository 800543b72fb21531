"""The languages whose grammars are known: what in their syntax trees is a function, a class, a namespace, an import.

A language is one entry here and one pinned wheel with its grammar. Names of node types are those of the grammars.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field


def _types(names: str) -> frozenset[str]:
    return frozenset(names.split())


@dataclass(frozen=True, slots=True)
class CodeLanguage:
    """How the definitions of a language are found.

    ``grammar`` is the module of the wheel and its function. ``functions`` are kept whole; ``classes`` are where they
    fit into a chunk, else their members apart; ``spaces`` (namespaces, modules, conditions of the preprocessor) never
    are. ``wrappers`` hold a definition together with what introduces it, ``leads`` stand before one. ``bound`` are
    statements that define what they bind a name to, where that is one of ``values``: a function, or by a type in
    ``classes`` a class. ``calls`` are definitions that are calls, by the word that is called.
    """

    name: str
    grammar: tuple[str, str]
    extensions: tuple[str, ...]
    media_types: tuple[str, ...]
    functions: frozenset[str] = frozenset()
    classes: frozenset[str] = frozenset()
    spaces: frozenset[str] = frozenset()
    wrappers: frozenset[str] = frozenset()
    leads: frozenset[str] = frozenset()
    imports: frozenset[str] = frozenset()
    bound: frozenset[str] = frozenset()
    values: frozenset[str] = frozenset()
    calls: Mapping[str, str] = field(default_factory=dict)


_ECMA_VALUES = _types("arrow_function function_expression generator_function class")
_PREPROCESSOR = "preproc_ifdef preproc_if preproc_else preproc_elif linkage_specification"
_ELIXIR = {
    **dict.fromkeys(("def", "defp", "defmacro", "defmacrop", "defguard", "defdelegate", "test"), "function"),
    **dict.fromkeys(("defmodule", "defprotocol", "defimpl", "describe"), "space"),
}

LANGUAGES: tuple[CodeLanguage, ...] = (
    CodeLanguage(
        "python", ("tree_sitter_python", "language"), (".py", ".pyi", ".pyw"),
        ("text/x-python", "text/x-script.python"),
        functions=_types("function_definition"), classes=_types("class_definition"),
        wrappers=_types("decorated_definition"),
        imports=_types("import_statement import_from_statement future_import_statement"),
    ),
    CodeLanguage(
        "javascript", ("tree_sitter_javascript", "language"), (".js", ".mjs", ".cjs", ".jsx"),
        ("text/javascript", "application/javascript"),
        functions=_types("function_declaration generator_function_declaration method_definition"),
        classes=_types("class_declaration class"), wrappers=_types("export_statement"), leads=_types("decorator"),
        imports=_types("import_statement"), bound=_types("lexical_declaration variable_declaration"),
        values=_ECMA_VALUES,
    ),
    *(
        CodeLanguage(
            name, ("tree_sitter_typescript", function), extensions, media_types,
            functions=_types(
                "function_declaration generator_function_declaration method_definition type_alias_declaration "
                "function_signature abstract_method_signature"
            ),
            classes=_types("class_declaration abstract_class_declaration interface_declaration enum_declaration class"),
            spaces=_types("internal_module module"),
            wrappers=_types("export_statement expression_statement ambient_declaration"), leads=_types("decorator"),
            imports=_types("import_statement import_alias"), bound=_types("lexical_declaration variable_declaration"),
            values=_ECMA_VALUES,
        )
        for name, function, extensions, media_types in (
            (
                "typescript", "language_typescript", (".ts", ".mts", ".cts"),
                ("text/x-typescript", "application/typescript"),
            ),
            ("tsx", "language_tsx", (".tsx",), ("text/tsx",)),
        )
    ),
    CodeLanguage(
        "java", ("tree_sitter_java", "language"), (".java",), ("text/x-java", "text/x-java-source"),
        functions=_types("method_declaration constructor_declaration compact_constructor_declaration"),
        classes=_types(
            "class_declaration interface_declaration enum_declaration record_declaration annotation_type_declaration"
        ),
        imports=_types("import_declaration"),
    ),
    CodeLanguage(
        "c", ("tree_sitter_c", "language"), (".c", ".h"), ("text/x-c", "text/x-csrc", "text/x-chdr"),
        functions=_types("function_definition preproc_function_def"),
        classes=_types("struct_specifier union_specifier enum_specifier"),
        spaces=_types(_PREPROCESSOR), wrappers=_types("type_definition declaration"), imports=_types("preproc_include"),
    ),
    CodeLanguage(
        "cpp", ("tree_sitter_cpp", "language"), (".cpp", ".cc", ".cxx", ".hpp", ".hh", ".hxx", ".ipp", ".cu", ".cuh"),
        ("text/x-c++", "text/x-c++src", "text/x-c++hdr"),
        functions=_types("function_definition preproc_function_def"),
        classes=_types("class_specifier struct_specifier union_specifier enum_specifier"),
        spaces=_types(f"{_PREPROCESSOR} namespace_definition"),
        wrappers=_types("template_declaration type_definition declaration field_declaration"),
        imports=_types("preproc_include using_declaration"),
    ),
    CodeLanguage(
        "csharp", ("tree_sitter_c_sharp", "language"), (".cs",), ("text/x-csharp",),
        functions=_types(
            "method_declaration constructor_declaration destructor_declaration property_declaration "
            "operator_declaration indexer_declaration delegate_declaration"
        ),
        classes=_types(
            "class_declaration interface_declaration struct_declaration record_declaration enum_declaration"
        ),
        spaces=_types("namespace_declaration"), imports=_types("using_directive"),
    ),
    CodeLanguage(
        "go", ("tree_sitter_go", "language"), (".go",), ("text/x-go",),
        functions=_types("function_declaration method_declaration type_declaration"),
        imports=_types("import_declaration"),
    ),
    CodeLanguage(
        "rust", ("tree_sitter_rust", "language"), (".rs",), ("text/x-rust", "text/rust"),
        functions=_types("function_item macro_definition function_signature_item"),
        classes=_types("struct_item enum_item union_item trait_item impl_item"),
        spaces=_types("mod_item foreign_mod_item"), leads=_types("attribute_item"),
        imports=_types("use_declaration extern_crate_declaration"),
    ),
    CodeLanguage(
        "ruby", ("tree_sitter_ruby", "language"), (".rb", ".rake", ".gemspec"), ("text/x-ruby",),
        functions=_types("method singleton_method"), classes=_types("class singleton_class"), spaces=_types("module"),
    ),
    CodeLanguage(
        "php", ("tree_sitter_php", "language_php"), (".php", ".phtml"), ("text/x-php", "application/x-httpd-php"),
        functions=_types("function_definition method_declaration"),
        classes=_types("class_declaration interface_declaration trait_declaration enum_declaration"),
        spaces=_types("namespace_definition"), imports=_types("namespace_use_declaration"),
    ),
    CodeLanguage(
        "kotlin", ("tree_sitter_kotlin", "language"), (".kt", ".kts"), ("text/x-kotlin",),
        functions=_types("function_declaration secondary_constructor"),
        classes=_types("class_declaration object_declaration companion_object"), leads=_types("annotated_expression"),
        imports=_types("import"),
    ),
    CodeLanguage(
        "scala", ("tree_sitter_scala", "language"), (".scala", ".sc"), ("text/x-scala",),
        functions=_types("function_definition function_declaration given_definition"),
        classes=_types("class_definition object_definition trait_definition enum_definition"),
        spaces=_types("package_object"), imports=_types("import_declaration"),
    ),
    CodeLanguage(
        "swift", ("tree_sitter_swift", "language"), (".swift",), ("text/x-swift",),
        functions=_types(
            "function_declaration init_declaration deinit_declaration subscript_declaration "
            "protocol_function_declaration"
        ),
        classes=_types("class_declaration protocol_declaration"), imports=_types("import_declaration"),
    ),
    CodeLanguage(
        "lua", ("tree_sitter_lua", "language"), (".lua",), ("text/x-lua",),
        functions=_types("function_declaration"), bound=_types("assignment_statement variable_declaration"),
        values=_types("function_definition"),
    ),
    CodeLanguage(
        "bash", ("tree_sitter_bash", "language"), (".sh", ".bash", ".zsh", ".ksh"),
        ("text/x-shellscript", "application/x-sh", "text/x-sh"), functions=_types("function_definition"),
    ),
    CodeLanguage(
        "elixir", ("tree_sitter_elixir", "language"), (".ex", ".exs"), ("text/x-elixir",),
        leads=_types("unary_operator"), calls=_ELIXIR,
    ),
    CodeLanguage(
        "zig", ("tree_sitter_zig", "language"), (".zig",), ("text/x-zig",),
        functions=_types("function_declaration test_declaration"),
        classes=_types("struct_declaration enum_declaration union_declaration"), bound=_types("variable_declaration"),
        values=_types("struct_declaration enum_declaration union_declaration"),
    ),
    CodeLanguage(
        "powershell", ("tree_sitter_powershell", "language"), (".ps1", ".psm1", ".psd1"), ("text/x-powershell",),
        functions=_types("function_statement class_method_definition"),
        classes=_types("class_statement enum_statement"),
        spaces=_types("statement_list"),
    ),
)  # fmt: skip
