"""Every resource of the interface, in the order in which the documentation shows them."""

from typing import Final

from litestar import Controller, Router

from muniment.api.resources.archive import ArchiveController
from muniment.api.resources.audit import AuditController
from muniment.api.resources.claims import ClaimsController, RelationsController
from muniment.api.resources.clients import ClientsController
from muniment.api.resources.extraction import ExtractionController
from muniment.api.resources.health import HealthController
from muniment.api.resources.ingestion import IngestionController
from muniment.api.resources.integrity import IntegrityController
from muniment.api.resources.issuers import IssuersController
from muniment.api.resources.jobs import JobsController
from muniment.api.resources.keys import KeysController
from muniment.api.resources.lifecycle import LifecycleController
from muniment.api.resources.members import MembersController
from muniment.api.resources.oauth import DescriptionController, OAuthController
from muniment.api.resources.policy import PolicyController
from muniment.api.resources.query_runs import QueryRunsController
from muniment.api.resources.quotas import QuotasController
from muniment.api.resources.records import RecordsController
from muniment.api.resources.retrieval import RetrievalController
from muniment.api.resources.retrieval_profiles import RetrievalProfilesController
from muniment.api.resources.sign_in import SignInController
from muniment.api.resources.sources import SourcesController
from muniment.api.resources.sql_logins import SqlLoginsController
from muniment.api.resources.summaries import SummariesController
from muniment.api.resources.tenant import TenantController
from muniment.api.resources.tenants import TenantsController

RESOURCES: Final[tuple[type[Controller], ...]] = (
    HealthController,
    IngestionController,
    RetrievalController,
    QueryRunsController,
    RetrievalProfilesController,
    RecordsController,
    SourcesController,
    ExtractionController,
    ClaimsController,
    RelationsController,
    SummariesController,
    IntegrityController,
    ArchiveController,
    JobsController,
    LifecycleController,
    PolicyController,
    KeysController,
    TenantController,
    TenantsController,
    ClientsController,
    MembersController,
    IssuersController,
    AuditController,
    DescriptionController,
    OAuthController,
    SignInController,
    SqlLoginsController,
    QuotasController,
)

_BRING_CONTENT: Final = (IngestionController, LifecycleController)
"""Those whose bodies may be large: they bring sources, messages and corrections."""


def route_handlers(largest: int) -> list[type[Controller] | Router]:
    """The resources in their order; the bodies that bring content may have ``largest`` bytes, the others what the
    application lets them."""
    return [
        Router(path="/", route_handlers=[resource], request_max_body_size=largest)
        if resource in _BRING_CONTENT
        else resource
        for resource in RESOURCES
    ]
