import { PARTIES, PARTNERS } from './cast.ts'
import type { Scene } from './scene.ts'

/** What becomes of parties and partners: bank accounts, wishes of customers, a block, a suspension. */
export const laterLife: readonly Scene[] = [
  {
    when: [18, '13:10', 'preparer'],
    deed: {
      does: 'editParty',
      of: PARTIES.hansen,
      body: {
        bankAccount: { iban: 'DE89 3704 0044 0532 0130 00', holder: 'Hansen Baumaschinen GmbH' },
        reason: 'Bank account for the lease, from the signed mandate.',
      },
    },
  },
  {
    when: [18, '15:45', 'approver'],
    deed: {
      does: 'approvePartyChange',
      of: PARTIES.hansen,
      body: { comment: 'Compared with the mandate.' },
    },
  },
  {
    when: [17, '11:20', 'chief'],
    deed: {
      does: 'editPartner',
      of: PARTNERS.nordauto,
      body: {
        bankAccount: { iban: 'DE02 1203 0000 0000 2020 51', holder: 'Nordauto Handels GmbH' },
        reason: 'Account for commissions.',
      },
    },
  },
  {
    when: [16, '09:15', 'approver'],
    deed: { does: 'approvePartnerChange', of: PARTNERS.nordauto },
  },
  {
    when: [12, '07:50', 'customer'],
    deed: {
      does: 'askChange',
      of: 'Clara moves',
      body: {
        kind: 'ADDRESS',
        address: {
          ...{ street: 'Schillerstraße 19', postalCode: '10625' },
          ...{ city: 'Berlin', country: 'DE' },
        },
        comment: 'We moved last week.',
      },
    },
  },
  {
    when: [12, '10:05', 'preparer'],
    deed: { does: 'acceptRequest', of: 'Clara moves' },
  },
  {
    when: [12, '14:30', 'mara'],
    deed: { does: 'approvePartyChange', of: PARTIES.clara },
  },
  {
    when: [11, '09:50', 'jonas'],
    deed: {
      does: 'editParty',
      of: PARTIES.lindqvist,
      body: { phone: '+46709999999', reason: 'Caller said the number had changed.' },
    },
  },
  {
    when: [10, '08:45', 'mara'],
    deed: {
      does: 'rejectPartyChange',
      of: PARTIES.lindqvist,
      body: { reason: 'The caller could not name the contract. Ask in writing.' },
    },
  },
  {
    when: [6, '10:30', 'preparer'],
    deed: {
      does: 'blockParty',
      of: PARTIES.nowak,
      body: { reason: 'Papers under review after the rejected application.' },
    },
  },
  {
    when: [5, '16:10', 'chief'],
    deed: {
      does: 'suspendPartner',
      of: PARTNERS.agrimax,
      body: { reason: 'The framework agreement has run out; talks are under way.' },
    },
  },
  {
    when: [2, '11:40', 'ines'],
    deed: {
      does: 'editParty',
      of: PARTIES.krume,
      body: {
        bankAccount: { iban: 'DE02 5001 0517 0137 0750 30', holder: 'Bäckerei Krume KG' },
        reason: 'New house bank, from the letter of the managing partner.',
      },
    },
  },
  {
    when: [1, '11:10', 'customer2'],
    deed: {
      does: 'askChange',
      of: 'Hansen’s new bank',
      body: {
        kind: 'BANK_ACCOUNT',
        bankAccount: { iban: 'FR14 2004 1010 0505 0001 3M02 606', holder: 'Hansen Baumaschinen' },
      },
    },
  },
]
