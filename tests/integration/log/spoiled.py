# ruff: noqa: E501, S608
"""What a superuser may do to the first tenant, and the checks that must then find something, all of them and no other."""

MEMO_RECORD = (
    "(select record_no from muniment.record_content where tenant_id = 1 and text like 'We launch on 9 June.%')"
)
TURN = "(select record_no from muniment.record_content where tenant_id = 1 and text like 'Turn 12:%')"
WAITING = "(select min(record_no) from muniment.embedding_pending where tenant_id = 1)"
SPOILED = [
    ("a text", f"update muniment.record_content set text = 'Turn 12: never.' where tenant_id = 1 and record_no = {TURN}",
     {"contents", "lexical_documents"}),
    ("a text's case", f"update muniment.record_content set text = upper(text) where tenant_id = 1 and record_no = {TURN}",
     {"contents"}),
    ("metadata", f"update muniment.record_content set payload = '{{}}' where tenant_id = 1 and record_no = {TURN}",
     {"contents", "metadata"}),
    ("what a record is filtered by", f"update muniment.record_metadata set key = 'shared' where tenant_id = 1 and key = 'share' and record_no = {TURN}",
     {"metadata"}),
    ("a filter's value", "update muniment.record_metadata set value = 'false' where tenant_id = 1 and key = 'odd'", {"metadata"}),
    ("a filter lost", f"delete from muniment.record_metadata where tenant_id = 1 and record_no = {TURN}", {"metadata"}),
    ("a salt", f"update muniment.record_content set salt = sha256('x') where tenant_id = 1 and record_no = {TURN}", {"contents"}),
    ("a speaker", f"update muniment.record set speaker = 'Liam' where tenant_id = 1 and record_no = {TURN}", {"leaves"}),
    ("a time", f"update muniment.record set said_at = now() where tenant_id = 1 and record_no = {TURN}", {"leaves"}),
    ("a locator", f"update muniment.record set locator = locator || '{{\"turn\": 13}}' where tenant_id = 1 and record_no = {TURN}",
     {"leaves"}),
    ("a position", f"update muniment.record set position = 1000 where tenant_id = 1 and record_no = {TURN}",
     {"leaves", "liveness", "message_keys"}),
    ("a commitment", f"update muniment.record set commitment = sha256('x') where tenant_id = 1 and record_no = {TURN}",
     {"leaves", "contents"}),
    ("the space of a record", "update muniment.space set user_id = 'liam' where tenant_id = 1 and user_id = 'maya'", {"leaves"}),
    ("a deleted record", f"delete from muniment.record where tenant_id = 1 and record_no = {TURN}",
     {"records", "message_keys", "source_versions"}),
    ("a deleted content", f"delete from muniment.record_content where tenant_id = 1 and record_no = {TURN}", {"contents"}),
    ("a content in another space", f"update muniment.record_content set space_id = 2 where tenant_id = 1 and record_no = {TURN}",
     {"contents"}),
    ("an inserted record",
     "with r as (insert into muniment.record select tenant_id, 999999, space_id, gen_random_uuid(), kind, modality, source_no,"
     " source_version, group_no, position, session_id, speaker, role, said_at, said_offset, event_from, event_to, locator, trust,"
     f" commitment from muniment.record where tenant_id = 1 and record_no = {TURN})"
     " insert into muniment.record_content select tenant_id, 999999, space_id, salt, text, fields, payload"
     f" from muniment.record_content where tenant_id = 1 and record_no = {TURN}",
     {"records"}),
    ("swapped entries",
     "update muniment.log_entry e set record_no = (select o.record_no from muniment.log_entry o where o.tenant_id = 1"
     " and o.entry_no = 41 - e.entry_no) where tenant_id = 1 and entry_no in (20, 21)", {"leaves"}),
    ("a deleted entry", "delete from muniment.log_entry where tenant_id = 1 and entry_no = 20",
     {"entries", "records", "liveness", "checkpoints"}),
    ("an entry in another space", "update muniment.log_entry set space_id = 2 where tenant_id = 1 and entry_no = 20", {"entries"}),
    ("a leaf", "update muniment.log_entry set leaf = sha256('x') where tenant_id = 1 and entry_no = 20", {"leaves"}),
    ("the detail of an entry", "update muniment.log_entry set detail = '{\"why\": \"no\"}' where tenant_id = 1 and event = 'close'",
     {"leaves"}),
    ("a commit's time", "update muniment.log_commit set at = at + interval '1 microsecond' where tenant_id = 1 and commit_no = 2",
     {"leaves"}),
    ("a commit dated back", "update muniment.log_commit set at = at - interval '1 day' where tenant_id = 1 and commit_no = 2",
     {"leaves", "commit_times"}),
    ("a commit gap", "delete from muniment.log_commit where tenant_id = 1 and commit_no = 2", {"commits", "entries"}),
    ("a root", "update muniment.log_commit set root = sha256('x') where tenant_id = 1 and commit_no = 2", {"roots"}),
    ("a tree node", "update muniment.tree_node set hash = sha256('x') where tenant_id = 1", {"tree_nodes"}),
    ("a deleted tree node", "delete from muniment.tree_node where tenant_id = 1", {"tree_nodes"}),
    ("a tree node too many", "insert into muniment.tree_node values (1, 8, 7, sha256('x'))", {"tree_nodes"}),
    ("the peaks", "update muniment.log_head set peaks[1] = sha256('x') where tenant_id = 1", {"head"}),
    ("the head", "update muniment.log_head set entries = entries - 1 where tenant_id = 1", {"head"}),
    ("dangling evidence", "update muniment.evidence set basis_no = 999999 where tenant_id = 1", {"evidence"}),
    ("evidence beyond its text", "update muniment.evidence set span_end = 500 where tenant_id = 1", {"evidence"}),
    ("what a fact says", "update muniment.fact set object = 'meet on Monday' where tenant_id = 1", {"facts"}),
    ("when a fact holds", "update muniment.fact set event_from = now() where tenant_id = 1", {"facts"}),
    ("a deleted fact", "delete from muniment.fact where tenant_id = 1", {"facts"}),
    ("a fact without evidence", "delete from muniment.evidence where tenant_id = 1 and record_no in (select record_no from muniment.fact)",
     {"facts"}),
    ("a byte of an original", "update muniment.blob set content = set_byte(content, 3, 65) where tenant_id = 1", {"blobs"}),
    ("a deleted original", "delete from muniment.blob where tenant_id = 1", {"source_versions"}),
    ("a missing posting",
     "update muniment.posting_block set records = records[2:], counts = counts[2:], lengths = lengths[2:],"
     " documents = documents - 1, total_length = total_length - lengths[1], first_record = records[2]"
     " where tenant_id = 1 and term = '=friday' and documents > 1", {"postings"}),
    ("a missing run of postings", "delete from muniment.posting_tail where tenant_id = 1 and '=friday' = any (terms)", {"postings"}),
    ("a posting twice", "insert into muniment.posting_tail select tenant_id, 1, space_id, first_record, documents, total_length,"
     " array[term], array[documents], records, counts, lengths from muniment.posting_block where tenant_id = 1 and term = '=friday'"
     " limit 1", {"postings"}),
    ("a posting's count", "update muniment.posting_block set counts[1] = counts[1] + 1 where tenant_id = 1 and term = '=friday'",
     {"postings"}),
    ("a term's documents", "update muniment.posting_tail set documents = documents + 1 where tenant_id = 1 and '=friday' = any (terms)",
     {"statistics"}),
    ("a space's documents", "update muniment.posting_tail set documents = documents + 1 where tenant_id = 1 and bucket = 0",
     {"statistics"}),
    ("a space's length", "update muniment.posting_block set total_length = 0 where tenant_id = 1 and term = ''", {"statistics"}),
    ("a forward row", f"delete from muniment.lexical_document where tenant_id = 1 and record_no = {TURN}",
     {"lexical_documents", "postings", "statistics"}),
    ("a missing vector", f"delete from muniment.embedding where tenant_id = 1 and record_no = {TURN}", {"embeddings"}),
    ("a vector of another length", f"update muniment.embedding set vector = vector * vector where tenant_id = 1 and record_no = {TURN}",
     {"embeddings"}),
    ("a forgotten wait", f"delete from muniment.embedding_pending where tenant_id = 1 and record_no = {WAITING}", {"embeddings"}),
    ("a needless wait", f"insert into muniment.embedding_pending select tenant_id, space_id, record_no from muniment.record"
     f" where tenant_id = 1 and record_no = {TURN}", {"embedding_pending"}),
    ("a record ended", f"update muniment.liveness set live_to_commit = 4 where tenant_id = 1 and record_no = {MEMO_RECORD}",
     {"liveness"}),
    ("an archived record revived",
     "update muniment.liveness set live_to_commit = null where tenant_id = 1 and group_no in"
     " (select group_no from muniment.record where tenant_id = 1 and source_version = 1 and modality = 'document')", {"liveness"}),
    ("a missing liveness", "delete from muniment.liveness where tenant_id = 1 and record_no = 1", {"liveness", "source_versions"}),
    ("two current versions", "update muniment.source_version set live_to_commit = null where tenant_id = 1", {"source_versions"}),
    ("a version gap", "update muniment.source_version set version = 7 where tenant_id = 1 and version = 2", {"source_versions"}),
    ("a version's records", "update muniment.source_version set records = 9 where tenant_id = 1 and version = 2", {"source_versions"}),
    ("a version's hash", "update muniment.source_version set content_hash = sha256('x') where tenant_id = 1 and version = 2",
     {"source_versions"}),
    ("a message key led elsewhere",
     f"update muniment.message_key set record_no = {TURN} where tenant_id = 1 and key = 'i:m20'", {"message_keys"}),
    ("a message key led back",
     "update muniment.message_key set record_no = (select record_no from muniment.liveness where tenant_id = 1 and position = 3"
     " and live_to_commit = 4) where tenant_id = 1 and key in ('i:m3', 'p:3') and group_no ="
     " (select group_no from muniment.record_group where tenant_id = 1 and group_key = 'plan')", {"message_keys"}),
    ("a message key lost", "delete from muniment.message_key where tenant_id = 1 and key = 'i:m20'", {"message_keys"}),
    ("the next position", "update muniment.record_group set next_position = 5 where tenant_id = 1 and group_key = 'plan'",
     {"positions"}),
    ("a stored checkpoint", "update muniment.checkpoint set root = sha256('x') where tenant_id = 1", {"checkpoints"}),
    ("a stored note", "update muniment.checkpoint set note = replace(note, 'muniment', 'monument') where tenant_id = 1",
     {"checkpoints"}),
]  # fmt: skip
