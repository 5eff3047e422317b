-- What is kept of a contract's life: every version, and what staff noted.

create table contract_version (
  contract_id text not null references contract (id),
  version     integer not null,
  party_id    text not null,
  partner_id  text,
  snapshot    jsonb not null,
  at          timestamptz(3) not null default clock_timestamp(),
  primary key (contract_id, version)
);

-- By trigger, so that no path can leave a version out.
create function keep_contract_version() returns trigger
  language plpgsql set search_path from current as $$
begin
  insert into contract_version (contract_id, version, party_id, partner_id, snapshot)
  values (new.id, new.version, new.party_id, new.partner_id, to_jsonb(new));
  return null;
end $$;

create trigger contract_versions after insert or update on contract
  for each row execute function keep_contract_version();
create trigger contract_version_append_only before update or delete on contract_version
  for each row execute function refuse_change();
create trigger contract_version_no_truncate before truncate on contract_version
  for each statement execute function refuse_change();

create table contract_note (
  id          text primary key,
  contract_id text not null references contract (id),
  party_id    text not null,
  partner_id  text,
  text        text not null,
  written_by  jsonb not null,
  written_at  timestamptz(3) not null default clock_timestamp(),
  constraint contract_note_text check (text ~ '\S' and length(text) <= 2000)
);
create index contract_note_by_contract on contract_note (contract_id, written_at, id);
create trigger contract_note_append_only before update or delete on contract_note
  for each row execute function refuse_change();
create trigger contract_note_no_truncate before truncate on contract_note
  for each statement execute function refuse_change();

alter table contract_version enable row level security;
alter table contract_version force  row level security;
alter table contract_note    enable row level security;
alter table contract_note    force  row level security;

create policy contract_version_rows on contract_version
  using (
    context_setting('scope') = 'ALL'
    or (context_setting('scope') = 'ROWS'
        and coalesce(context_setting('party'), context_setting('partner')) is not null
        and (context_setting('party') is null or party_id = context_setting('party'))
        and (context_setting('partner') is null or partner_id = context_setting('partner')))
  );

-- Notes are the house's: a customer never reads them, a partner reads those of its own deals.
create policy contract_note_rows on contract_note
  using (
    context_setting('scope') = 'ALL'
    or (context_setting('scope') = 'ROWS' and context_setting('party') is null
        and partner_id = context_setting('partner'))
  );

grant select, insert on contract_version, contract_note to {{app_role}};

