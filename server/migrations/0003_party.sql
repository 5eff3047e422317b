create table party (
  id                 text primary key,
  type               text not null,
  person             jsonb,
  organisation       jsonb,
  display_name       text not null,
  name_folded        text collate "C" not null,
  -- of a person, the family name first: most people look for that
  family_folded      text collate "C",
  email              text,
  phone              text,
  address            jsonb,
  language           text,
  external_ref       text,
  state              text not null default 'ACTIVE',
  version            integer not null default 1,
  created_by_partner text constraint party_partner_known references partner (id),
  preparers          text[] not null,
  created_by         jsonb not null,
  created_at         timestamptz(3) not null default clock_timestamp(),
  updated_by         jsonb not null,
  updated_at         timestamptz(3) not null default clock_timestamp(),
  constraint party_type      check (type in ('PERSON', 'ORGANISATION')),
  constraint party_of_type   check ((type = 'PERSON') = (person is not null)
                                and (type = 'ORGANISATION') = (organisation is not null)),
  constraint party_state     check (state in ('ACTIVE', 'BLOCKED', 'ERASED')),
  constraint party_preparers check (cardinality(preparers) > 0
                                and array_position(preparers, null) is null)
);
create index party_by_age  on party (created_at, id);
create index party_by_name on party (name_folded, id);
create index party_by_family on party (family_folded, id) where family_folded is not null;

-- Changes of a party will be under four-eyes: who created it must stand among its preparers.
create function guard_new_party() returns trigger
  language plpgsql set search_path from current as $$
begin
  if new.state <> 'ACTIVE' or new.version <> 1 then
    raise exception 'a party begins active, as its first version'
      using errcode = 'check_violation', constraint = 'party_begins';
  end if;
  if not coalesce('sub:' || context_setting('subject') = any (new.preparers), false)
     or new.created_by ->> 'id' is distinct from person_id(context_setting('subject')) then
    raise exception 'who creates a party is one of its preparers'
      using errcode = 'check_violation', constraint = 'party_creator_prepares';
  end if;
  return new;
end $$;

create trigger party_begins before insert on party
  for each row execute function guard_new_party();
create trigger party_no_delete before delete on party
  for each row execute function refuse_change();
create trigger party_no_truncate before truncate on party
  for each statement execute function refuse_change();

alter table party enable row level security;
alter table party force  row level security;

grant select, insert on party to {{app_role}};
-- The policies name contracts, so they are made where contracts are.
