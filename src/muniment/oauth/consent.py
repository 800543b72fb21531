"""What a member may let a client do, and saying so to a device."""

from dataclasses import dataclass

from muniment.audit.acting import acting_as
from muniment.audit.chain import record_act
from muniment.database.pool import Database
from muniment.database.queries import query
from muniment.database.spaces import intern_space
from muniment.model.identifiers import CLIENT, new_id, public_id
from muniment.oauth.endpoints import user_code_hash
from muniment.oauth.grants import Granted, both_pins, in_order, store_grant, within
from muniment.oauth.parties import Consent
from muniment.tenancy.clients import LiveClient, resolve_client
from muniment.tenancy.members import SignedIn


@dataclass(frozen=True, slots=True)
class WaitingDevice:
    """A device that waits for a member's word."""

    client: LiveClient
    user_hash: bytes
    scopes: tuple[str, ...]
    resource: str


def offer(client: LiveClient, member: SignedIn, scopes: tuple[str, ...]) -> Consent | None:
    """What the member can consent to of what is asked; None where that is nothing, or the two are pinned apart."""
    try:
        pin = both_pins(client.pin, member.pin)
    except ValueError:
        return None
    allowed = within(set(scopes) & member.scopes & set(client.scopes), pin)
    return Consent(member.member, in_order(allowed), pin) if allowed else None


async def admit(database: Database, client: LiveClient, consent: Consent) -> None:
    """Makes what a pinned token needs to be there: a space in which what it asks is noted."""
    if consent.pin is not None:
        await intern_space(database, client.tenant, consent.pin.namespace)


async def waiting_device(database: Database, user_code: str) -> WaitingDevice | None:
    """The device that shows this code, None where none does, or no more."""
    hashed = user_code_hash(user_code)
    async with database.transaction() as connection:
        row = (await connection.execute(query("oauth.resolve_user_code"), {"user_hash": hashed})).one_or_none()
    client = None if row is None else await resolve_client(database, public_id(CLIENT, row.client_id))
    if client is None:
        return None
    async with database.scope(client.tenant) as scope:
        found = await scope.row("oauth.waiting_device", client=client.client, user_hash=hashed)
    return None if found is None else WaitingDevice(client, hashed, in_order(found["scopes"]), found["resource"])


async def decide_device(database: Database, device: WaitingDevice, consent: Consent | None) -> bool:
    """Tells a device what its member said, None for no; False where it waits no more."""
    client, grant = device.client, None if consent is None else _granted(device, consent)
    if consent is not None:
        await admit(database, client, consent)
    async with database.scope(client.tenant) as scope:
        found = await scope.row("oauth.waiting_device", client=client.client, user_hash=device.user_hash)
        if found is None:
            return False
        if grant is not None:
            seconds = database.settings.device_code_seconds + database.settings.access_token_seconds
            await store_grant(scope, grant, seconds)
        state, identity = ("denied", None) if grant is None else ("approved", grant.grant)
        told = await scope.value("oauth.decide_device", device_hash=found["device_hash"], state=state, grant=identity)
        if grant is not None:
            with acting_as(grant.actor):
                await record_act(scope, "grant.consent", client.id, scopes=list(grant.scopes), device=True)
    return told is not None


def _granted(device: WaitingDevice, consent: Consent) -> Granted:
    client = device.client
    return Granted(
        new_id(), client.tenant, client.tenant_public_id, client.client, consent.member, consent.scopes,
        device.resource, consent.pin,
    )  # fmt: skip
