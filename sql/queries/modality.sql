-- name: describe
-- What the modality routes score their candidates by. Primary keys, embedding_record, and record_speaker for named speakers.
select record_no, modality, cosine, bm25, names, counts
  from muniment.describe_fields(
         cast(:tenant as bigint), cast(:spaces as bigint[]), cast(:records as bigint[]), cast(:unscored as bigint[]),
         cast(:speakers as text[]), cast(:most as integer), cast(:known_at as bigint),
         cast(:modalities as text[]), cast(:of as text[]), cast(:names as text[]), cast(:terms as text[]),
         cast(:held as text[]), cast(:weights as double precision[]), cast(:mean_length as double precision),
         cast(:k1 as double precision), cast(:b as double precision), cast(:language as text), cast(:model as integer),
         cast(:vector as public.halfvec));
