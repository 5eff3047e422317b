create table party (
  id                 text primary key,
  type               text not null,
  person             jsonb,
  organisation       jsonb,
  display_name       text not null,
  name_folded        text collate "C" not null,
  email              text,
  phone              text,
  address            jsonb,
  language           text,
  external_ref       text,
  state              text not null default 'ACTIVE',
  version            integer not null default 1,
  created_by_partner text references partner (id),
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

alter table party enable row level security;
alter table party force  row level security;

grant select, insert on party to {{app_role}};
-- The policy names contracts, so it is made where contracts are.
