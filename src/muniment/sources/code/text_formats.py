"""Source text without a grammar here: its extensions, and the language that each stands for."""

from collections.abc import Mapping
from types import MappingProxyType

_NAMES = """
asm: .asm .s; awk: .awk; batch: .bat .cmd; bazel: .bzl .bazel; bibtex: .bib; clojure: .clj .cljs .cljc .edn; cmake:
.cmake; coffeescript: .coffee; conf: .conf .cnf .properties .env; crystal: .cr; css: .css .scss .sass .less;
cython: .pyx .pxd; d: .d; dart: .dart; diff: .diff .patch; dockerfile: .dockerfile; erlang: .erl .hrl; fish: .fish;
fortran: .f .f90 .f95 .for; fsharp: .fs .fsx; gettext: .po .pot; glsl: .glsl .vert .frag .hlsl .wgsl; gradle:
.gradle; graphql: .graphql .gql; groovy: .groovy; haskell: .hs .lhs; ini: .ini .cfg .editorconfig; julia: .jl;
latex: .tex .sty .cls; lisp: .lisp .el .scm .rkt; lock: .lock; m4: .m4 .ac .am; makefile: .mk .mak .make; matlab:
.m; nim: .nim; nix: .nix; objc: .mm; ocaml: .ml .mli; pascal: .pas .pp; perl: .pl .pm .t; prolog: .pro; protobuf:
.proto; puppet: .epp; r: .r; solidity: .sol; sql: .sql .ddl .psql; svelte: .svelte; systemd: .service .socket
.timer .desktop; tcl: .tcl; template: .j2 .jinja .jinja2 .tmpl .mustache .hbs .erb .ejs .in; terraform: .tf .tfvars
.hcl; thrift: .thrift; verilog: .v .sv; vhdl: .vhd .vhdl; vim: .vim; visualbasic: .vb .vbs .bas; vue: .vue
"""

LANGUAGE_OF: Mapping[str, str] = MappingProxyType(
    {
        extension: name.strip()
        for name, _, extensions in (entry.partition(":") for entry in _NAMES.split(";"))
        for extension in extensions.split()
    }
)
