"""Proofs of records: they hold without the database, for this record and this content alone."""

import json

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from log_seeding import write
from sqlalchemy import create_engine, text

from muniment.database.pool import Database
from muniment.errors import MunimentError
from muniment.log.checkpoints import sign_checkpoint
from muniment.log.notes import VerifierKey, verify_checkpoint
from muniment.log.proofs import prove_record, verify_record_proof
from muniment.model.identifiers import RECORD, new_id, public_id
from muniment.tenancy.tenants import Tenant


async def test_every_record_of_a_log_that_grew_can_be_proved(database: Database, tenant: Tenant) -> None:
    texts = [f"text {n}" for n in range(270)]
    _, first = await write(database, tenant.number, "one", texts)
    _, second = await write(database, tenant.number, "two", texts)
    key = str((await sign_checkpoint(database, tenant.number)).key)
    everything = [*zip(first, texts, strict=True), *zip(second, texts, strict=True)]
    for index in (0, 1, 255, 256, 269, 270, 511, 512, 538, 539):
        entry, content = everything[index]
        assert entry.record_id is not None
        proof = await prove_record(database, tenant.number, public_id(RECORD, entry.record_id))
        assert (proof.index, proof.size) == (index, 540)
        verify_record_proof(proof, {"text": content}, verifier_key=key)
        assert json.loads(proof.spine)["space"] == {"project_id": "atlas", "user_id": "maya", "agent_id": None}


async def test_a_proof_uses_the_checkpoint_that_covers_the_record_and_signs_only_where_none_does(
    database: Database, tenant: Tenant
) -> None:
    _, first = await write(database, tenant.number, "one", ["a"])
    signed = await sign_checkpoint(database, tenant.number)
    _, second = await write(database, tenant.number, "two", ["b"])
    old = await prove_record(database, tenant.number, public_id(RECORD, first[0].record_id))  # type: ignore[arg-type]
    new = await prove_record(database, tenant.number, public_id(RECORD, second[0].record_id))  # type: ignore[arg-type]
    assert old.checkpoint == signed.note
    assert verify_checkpoint(new.checkpoint, signed.key).size == 2


async def test_a_proof_holds_for_nothing_else(database: Database, tenant: Tenant) -> None:
    _, entries = await write(database, tenant.number, "g", ["Yes.", "No.", "Maybe."])
    ids = [public_id(RECORD, entry.record_id) for entry in entries]  # type: ignore[arg-type]
    proof, other = [await prove_record(database, tenant.number, record) for record in ids[:2]]
    verify_record_proof(proof)
    wrong = [
        proof.model_copy(update={"index": 1}),
        proof.model_copy(update={"size": 4}),
        proof.model_copy(update={"path": proof.path[:-1]}),
        proof.model_copy(update={"path": ["zz"]}),
        proof.model_copy(update={"record_id": ids[1]}),
        proof.model_copy(update={"spine": other.spine}),
        proof.model_copy(update={"leaf": other.leaf}),
        proof.model_copy(update={"leaf": other.leaf, "spine": other.spine, "record_id": ids[1]}),
        proof.model_copy(update={"leaf": "[]"}),
        proof.model_copy(update={"checkpoint": proof.checkpoint.replace("\n3\n", "\n4\n")}),
    ]
    for changed in wrong:
        with pytest.raises(MunimentError) as raised:
            verify_record_proof(changed)
        assert raised.value.code == "proof.invalid"


async def test_a_proof_binds_the_content_and_the_key_that_one_trusts(database: Database, tenant: Tenant) -> None:
    _, entries = await write(database, tenant.number, "g", ["Yes."])
    proof = await prove_record(database, tenant.number, public_id(RECORD, entries[0].record_id))  # type: ignore[arg-type]
    verify_record_proof(proof, {"text": "Yes.", "fields": {}, "metadata": {}})
    for content in ({"text": "No."}, {"text": "Yes.", "metadata": {"a": 1}}):
        with pytest.raises(MunimentError, match="content"):
            verify_record_proof(proof, content)
    with pytest.raises(MunimentError, match="erased"):
        verify_record_proof(proof.model_copy(update={"salt": None}), {"text": "Yes."})
    stranger = VerifierKey(proof.checkpoint.split("\n")[0], Ed25519PrivateKey.generate().public_key())
    with pytest.raises(MunimentError, match="not signed"):
        verify_record_proof(proof, verifier_key=str(stranger))


async def test_a_record_that_was_altered_is_not_proved(database: Database, tenant: Tenant, admin_url: str) -> None:
    _, entries = await write(database, tenant.number, "g", ["a", "b"])
    engine = create_engine(admin_url)
    with engine.begin() as connection:
        connection.execute(text("update muniment.record set speaker = 'Liam' where position = 1"))
    engine.dispose()
    verify_record_proof(await prove_record(database, tenant.number, public_id(RECORD, entries[0].record_id)))  # type: ignore[arg-type]
    with pytest.raises(MunimentError, match="as it stands"):
        await prove_record(database, tenant.number, public_id(RECORD, entries[1].record_id))  # type: ignore[arg-type]


async def test_a_record_of_another_tenant_or_space_is_not_there(
    database: Database, tenant: Tenant, other_tenant: Tenant
) -> None:
    _, entries = await write(database, tenant.number, "g", ["a"])
    record = public_id(RECORD, entries[0].record_id)  # type: ignore[arg-type]
    for number, wanted, spaces in (
        (other_tenant.number, record, None),
        (tenant.number, record, [entries[0].space + 1]),
        (tenant.number, public_id(RECORD, new_id()), None),
        (tenant.number, "d_nonsense", None),
    ):
        with pytest.raises(MunimentError) as raised:
            await prove_record(database, number, wanted, spaces)
        assert raised.value.code == "record.not_found"
    assert (await prove_record(database, tenant.number, record, [entries[0].space])).size == 1
