create index log_entry_policy on muniment.log_entry (tenant_id, entry_no) where event = 'policy';  -- the policy in force, and those before
