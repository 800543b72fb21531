"""Proofs that the log holds a record: made from the database, verified without it."""

import hmac
import json
from collections.abc import Mapping, Sequence
from hashlib import sha256
from typing import Any

from muniment.database.pool import Database, Row, Scope
from muniment.errors import MunimentError
from muniment.log.checkpoints import covering_checkpoint
from muniment.log.leaves import Spine, commitment, entry_data
from muniment.log.nodes import load_subtrees
from muniment.log.notes import parse_verifier_key, verify_checkpoint
from muniment.log.tree import inclusion_proof, inclusion_spans, leaf_hash, verify_inclusion
from muniment.model.identifiers import RECORD, parse_id
from muniment.model.proofs import RecordProof


async def prove_record(
    database: Database, tenant: int, record_id: str, spaces: Sequence[int] | None = None
) -> RecordProof:
    """A proof of the record against a signed checkpoint, a new one where none covers it yet.

    ``spaces`` are those that the caller may see, None for all. Raises ``record.not_found``, ``log.invalid`` where
    the log does not hold what it should, and what ``sign_checkpoint`` raises.
    """
    identity = parse_id(RECORD, record_id)
    async with database.scope(tenant, spaces=spaces) as scope:
        entry = None if identity is None else await scope.row("proofs.record_entry", record_id=identity)
        if entry is None:
            raise MunimentError("record.not_found", "there is no such record", record_id=record_id)
        spine = (await read_spines(scope, [entry["record_no"]])).get(entry["record_no"])
    if spine is None:
        raise MunimentError("log.invalid", "the record lacks its source, group or space: run muniment validate")
    erased: bytes | None = entry["spine_digest"]
    leaf = entry_data(
        entry["commit_no"], entry["ordinal"], entry["at"], entry["event"], spine.record_id, erased or spine.digest(),
        entry["detail"],
    )  # fmt: skip
    index = entry["entry_no"]
    signed = await covering_checkpoint(database, tenant, index)
    size, root = signed.checkpoint.size, signed.checkpoint.root
    async with database.scope(tenant) as scope:
        path = inclusion_proof(index, size, await load_subtrees(scope, inclusion_spans(index, size)))
    if not verify_inclusion(leaf_hash(leaf), index, size, path, root):
        raise MunimentError("log.invalid", "the log does not hold the record as it stands: run muniment validate")
    return RecordProof(
        record_id=record_id,
        leaf=leaf.decode(),
        spine=None if erased else spine.data().decode(),
        salt=entry["salt"].hex() if entry["salt"] is not None else None,
        index=index,
        size=size,
        path=[node.hex() for node in path],
        checkpoint=signed.note,
        verifier_key=str(signed.key),
    )


async def read_spines(scope: Scope, records: Sequence[int]) -> dict[int, Spine]:
    """The spines of these records by their numbers, as far as they are whole."""
    rows = await scope.rows("proofs.spines", records=list(records))
    return {row["record_no"]: _spine(row) for row in rows}


def _spine(row: Row) -> Spine:
    return Spine(**{name: row[name] for name in Spine.__slots__})


def verify_record_proof(
    proof: RecordProof, content: Mapping[str, Any] | None = None, *, verifier_key: str | None = None
) -> None:
    """Verifies a proof with nothing but itself; returns only if it holds. Raises ``proof.invalid``.

    ``content`` has the record's ``text``, ``fields`` and ``metadata``, as a ``Record`` has them. ``verifier_key`` is
    the log's key as you know it; without it the proof's own is taken, which shows only that the proof is in itself
    consistent.
    """
    try:
        signed = verify_checkpoint(proof.checkpoint, parse_verifier_key(verifier_key or proof.verifier_key))
        leaf = json.loads(proof.leaf)
        spine = None if proof.spine is None else json.loads(proof.spine)
        path = [bytes.fromhex(node) for node in proof.path]
    except (MunimentError, ValueError) as error:
        raise _invalid(f"it cannot be read or is not signed by this log: {error}") from error
    if not isinstance(leaf, dict) or not isinstance(spine, dict | None):
        raise _invalid("it cannot be read")
    if leaf.get("record") != proof.record_id or (spine is not None and spine.get("record") != proof.record_id):
        raise _invalid("it is about another record")
    if proof.spine is not None and leaf.get("spine") != sha256(proof.spine.encode()).hexdigest():
        raise _invalid("the leaf does not hold the spine")
    if signed.size != proof.size or not verify_inclusion(
        leaf_hash(proof.leaf.encode()), proof.index, proof.size, path, signed.root
    ):
        raise _invalid("the path does not lead from the leaf to the signed root")
    if content is not None:
        _verify_content(proof, str((spine or {}).get("commitment")), content)


def _verify_content(proof: RecordProof, committed: str, content: Mapping[str, Any]) -> None:
    if proof.salt is None:
        raise _invalid("the content was erased, and the salt with it: nothing can be shown of it")
    found = commitment(
        bytes.fromhex(proof.salt), content["text"], content.get("fields") or {}, content.get("metadata") or {}
    )
    if not hmac.compare_digest(found.hex(), committed):
        raise _invalid("the content is not what the record was")


def _invalid(reason: str) -> MunimentError:
    return MunimentError("proof.invalid", f"the proof does not hold: {reason}")
