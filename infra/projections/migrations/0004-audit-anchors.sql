-- Heads of the operators' audit that are on record in the command log.

create table audit_anchors (
  frame bigint not null,
  event_index bigint not null,
  audit_seq bigint not null,
  -- As the command says; 64 hexadecimal digits.
  hash text not null,
  anchored_at timestamptz not null,
  primary key (frame, event_index)
);
create index audit_anchors_by_seq on audit_anchors (audit_seq);
