-- What customers wish to have changed; staff take it up, another one approves.
create table request (
  id           text primary key,
  party_id     text not null references party (id),
  kind         text not null,
  wish         jsonb not null,
  state        text not null default 'OPEN',
  version      integer not null default 1,
  -- keys of the customer's account: the customer counts as a preparer of the change
  person_keys  text[] not null,
  requested_by jsonb not null,
  reason       text,
  change_id    text references change (id),
  created_at   timestamptz(3) not null default clock_timestamp(),
  updated_by   jsonb not null,
  updated_at   timestamptz(3) not null default clock_timestamp(),
  constraint request_kind     check (kind in ('ADDRESS', 'BANK_ACCOUNT')),
  constraint request_state    check (state in ('OPEN', 'ACCEPTED', 'DECLINED')),
  constraint request_accepted check ((state = 'ACCEPTED') = (change_id is not null)),
  constraint request_declined check ((state = 'DECLINED') = (reason is not null)),
  constraint request_persons  check (cardinality(person_keys) > 0
                                 and array_position(person_keys, null) is null)
);
-- One open wish of a kind at a time.
create unique index request_one_open on request (party_id, kind) where state = 'OPEN';
create index request_by_party on request (party_id, created_at, id);
create index request_by_age   on request (state, created_at, id);

create function guard_request() returns trigger
  language plpgsql set search_path from current as $$
begin
  -- What an erased party wished goes with it; that it wished stays.
  if new.wish = '{}'::jsonb and to_jsonb(new) - 'wish' = to_jsonb(old) - 'wish'
     and exists (select from party where party.id = old.party_id and party.state = 'ERASED') then
    return new;
  end if;
  if (new.id, new.party_id, new.kind, new.wish, new.person_keys, new.requested_by, new.created_at)
     is distinct from
     (old.id, old.party_id, old.kind, old.wish, old.person_keys, old.requested_by, old.created_at)
     or old.state <> 'OPEN' or new.version <> old.version + 1
     or new.updated_by ->> 'id' is distinct from person_id(context_setting('subject')) then
    raise exception 'a request is answered once and stays as it was asked'
      using errcode = 'check_violation', constraint = 'request_answered_once';
  end if;
  return new;
end $$;

create trigger request_changes before update on request
  for each row execute function guard_request();
create trigger request_no_delete before delete on request
  for each row execute function refuse_change();
create trigger request_no_truncate before truncate on request
  for each statement execute function refuse_change();

alter table request enable row level security;
alter table request force  row level security;
create policy request_rows on request for select
  using (
    context_setting('scope') = 'ALL'
    or (context_setting('scope') = 'ROWS' and party_id = context_setting('party'))
  );
create policy request_ask on request for insert
  with check (
    context_setting('scope') = 'ROWS' and party_id = context_setting('party')
    and coalesce('sub:' || context_setting('subject') = any (person_keys), false)
  );
create policy request_answer on request for update
  using (context_setting('scope') = 'ALL')
  with check (context_setting('scope') = 'ALL');

-- A customer learns what became of a wish from the change that it led to.
create policy change_of_own_request on change for select
  using (
    context_setting('scope') = 'ROWS' and context_setting('party') is not null
    and exists (select from request where request.change_id = change.id)
  );

grant select, insert, update on request to {{app_role}};
