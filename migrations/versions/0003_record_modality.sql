create index record_modality on muniment.record (tenant_id, modality, space_id);  -- which modalities the visible spaces hold
