import { DEMO_IDS } from './people.ts'
import type { Moment, Scene, StoryPartner, StoryParty } from './scene.ts'

/** Parties and partners of the story, by the names that the story gives them. */
export const PARTNERS = {
  nordauto: DEMO_IDS.dealer,
  brook: 'ptn_demo_broker',
  agrimax: 'ptn_demo_vendor',
} as const

export const PARTIES = {
  clara: DEMO_IDS.customer,
  hansen: DEMO_IDS.customer2,
  weber: 'pty_demo_weber',
  lindqvist: 'pty_demo_lindqvist',
  okafor: 'pty_demo_okafor',
  krume: 'pty_demo_krume',
  tannhof: 'pty_demo_tannhof',
  yilmaz: 'pty_demo_yilmaz',
  elbe: 'pty_demo_elbe',
  morgenrot: 'pty_demo_morgenrot',
  ferrari: 'pty_demo_ferrari',
  nowak: 'pty_demo_nowak',
} as const

function partner(when: Moment, id: string, given: StoryPartner['partner']): Scene {
  return { when, deed: { does: 'enterPartner', of: { id, partner: given } } }
}

function person(
  when: Moment,
  id: string,
  names: readonly [firstName: string, lastName: string, birthDate: string],
  more: Omit<StoryParty['party'], 'type' | 'person' | 'organisation'>,
): Scene {
  const [firstName, lastName, birthDate] = names
  const party = { type: 'PERSON', person: { firstName, lastName, birthDate }, ...more } as const
  return { when, deed: { does: 'enterParty', of: { id, party } } }
}

function organisation(
  when: Moment,
  id: string,
  given: NonNullable<StoryParty['party']['organisation']>,
  more: Omit<StoryParty['party'], 'type' | 'person' | 'organisation'>,
): Scene {
  const party = { type: 'ORGANISATION', organisation: given, ...more } as const
  return { when, deed: { does: 'enterParty', of: { id, party } } }
}

const at = (street: string, postalCode: string, city: string, country = 'DE') => ({
  address: { street, postalCode, city, country },
})

export const cast: readonly Scene[] = [
  partner([20, '07:30', 'chief'], PARTNERS.nordauto, {
    code: 'NORDAUTO',
    name: 'Nordauto Handels GmbH',
    kind: 'DEALER',
  }),
  partner([20, '07:34', 'chief'], PARTNERS.brook, {
    code: 'BROOK',
    name: 'Finanzkontor Brook',
    kind: 'BROKER',
  }),
  partner([20, '07:41', 'chief'], PARTNERS.agrimax, {
    code: 'AGRIMAX',
    name: 'Agrimax Landtechnik',
    kind: 'VENDOR',
  }),
  person([20, '08:02', 'preparer'], PARTIES.clara, ['Clara', 'Sommer', '1986-04-12'], {
    email: 'clara.sommer@example.org',
    phone: '+49301234567',
    ...at('Lindenallee 4', '10115', 'Berlin'),
    language: 'de',
  }),
  organisation(
    [20, '08:09', 'preparer'],
    PARTIES.hansen,
    { name: 'Hansen Baumaschinen GmbH', legalForm: 'GmbH', vatId: 'DE123456789' },
    {
      email: 'einkauf@hansen-bau.example.org',
      ...at('Am Kai 12', '20457', 'Hamburg'),
      language: 'de',
    },
  ),
  person([20, '08:15', 'ines'], PARTIES.weber, ['Emil', 'Weber', '1979-11-03'], {
    email: 'emil.weber@example.org',
    ...at('Burggasse 71', '1070', 'Wien', 'AT'),
    language: 'de-AT',
  }),
  person([20, '08:24', 'dealer'], PARTIES.lindqvist, ['Astrid', 'Lindqvist', '1991-06-29'], {
    email: 'astrid@lindqvist.example.org',
    phone: '+46701234567',
    ...at('Storgatan 18', '211 42', 'Malmö', 'SE'),
    language: 'sv',
  }),
  person([20, '08:31', 'jonas'], PARTIES.okafor, ['Chidi', 'Okafor', '1983-01-17'], {
    phone: '+494211234567',
    ...at('Osterdeich 102', '28205', 'Bremen'),
    language: 'en',
  }),
  organisation(
    [19, '08:05', 'ines'],
    PARTIES.krume,
    { name: 'Bäckerei Krume KG', legalForm: 'KG', registerNumber: 'HRA 4711' },
    { email: 'buero@krume.example.org', ...at('Mühlweg 3', '04109', 'Leipzig'), language: 'de' },
  ),
  organisation(
    [19, '08:12', 'jonas'],
    PARTIES.tannhof,
    { name: 'Forstbetrieb Tannhof GbR', legalForm: 'GbR' },
    { phone: '+497661123456', ...at('Tannhof 1', '79254', 'Oberried'), language: 'de' },
  ),
  organisation(
    [18, '08:20', 'preparer'],
    PARTIES.yilmaz,
    { name: 'Praxis Dr. Yılmaz', vatId: 'DE210987654' },
    { email: 'praxis@yilmaz.example.org', ...at('Domstraße 9', '50668', 'Köln'), language: 'de' },
  ),
  organisation(
    [18, '08:40', 'jonas'],
    PARTIES.elbe,
    { name: 'Elbe Logistik AG', legalForm: 'AG', registerNumber: 'HRB 90210' },
    {
      email: 'fuhrpark@elbe-logistik.example.org',
      ...at('Hafenring 40', '01067', 'Dresden'),
      externalRef: 'CRM-30117',
    },
  ),
  organisation(
    [17, '08:10', 'ines'],
    PARTIES.morgenrot,
    { name: 'Druckhaus Morgenrot GmbH', legalForm: 'GmbH', vatId: 'DE998877665' },
    { email: 'leitung@morgenrot.example.org', ...at('Setzergasse 5', '90403', 'Nürnberg') },
  ),
  person([17, '09:02', 'dealer'], PARTIES.nowak, ['Piotr', 'Nowak', '1988-08-08'], {
    phone: '+48601234567',
    ...at('ul. Długa 21', '31-147', 'Kraków', 'PL'),
    language: 'pl',
  }),
  person([15, '08:50', 'dealer'], PARTIES.ferrari, ['Giulia', 'Ferrari', '1994-02-21'], {
    email: 'giulia.ferrari@example.org',
    ...at('Via Roma 77', '20121', 'Milano', 'IT'),
    language: 'it',
  }),
]
