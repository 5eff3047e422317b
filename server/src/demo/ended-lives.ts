import { PARTIES, PARTNERS } from './cast.ts'
import { eur, type Life, terms } from './life.ts'

/** Contracts that have come to an end, each in its own way. */
export const endedLives: readonly Life[] = [
  {
    key: 'bicycle',
    type: 'LOAN',
    partyId: PARTIES.weber,
    terms: terms('3000.00', '5.9', 12),
    turns: [
      [20, '10:50', 'ines', 'prepares'],
      [19, '13:00', 'mara', 'approves'],
      [18, '10:00', 'approver', 'activates'],
      [10, '11:10', 'chief', 'settles', 'Paid off early from an inheritance.'],
      [9, '10:30', 'approver', 'approves the change', 'Settlement figure confirmed.'],
    ],
  },
  {
    key: 'heat pump',
    type: 'LOAN',
    partyId: PARTIES.lindqvist,
    terms: terms('18000.00', '3.2', 96, { frequency: 'HALF_YEARLY' }),
    turns: [
      [19, '14:10', 'jonas', 'prepares'],
      [18, '11:50', 'approver', 'approves'],
      [17, '13:30', 'approver', 'activates'],
      [7, '09:15', 'chief', 'settles', 'A public grant replaces the loan.'],
      [6, '15:00', 'mara', 'approves the change'],
    ],
  },
  {
    key: 'scooter',
    type: 'HIRE_PURCHASE',
    partyId: PARTIES.okafor,
    terms: terms('5200.00', '6.9', 24),
    more: {
      partnerId: PARTNERS.nordauto,
      asset: { category: 'VEHICLE', description: 'Electric scooter', price: eur('5200.00') },
    },
    turns: [
      [20, '13:15', 'jonas', 'prepares'],
      [19, '15:00', 'approver', 'approves'],
      [18, '13:00', 'mara', 'activates'],
      [8, '10:20', 'preparer', 'terminates', 'Stolen; the insurer pays the balance.'],
      [7, '11:30', 'mara', 'approves the change'],
    ],
  },
  {
    key: 'copier',
    type: 'OPERATING_LEASE',
    partyId: PARTIES.morgenrot,
    terms: terms('9600.00', '4.4', 24, { timing: 'ADVANCE', vatRate: '19' }),
    more: { asset: { category: 'OFFICE', description: 'Copier', price: eur('9600.00') } },
    turns: [
      [16, '14:20', 'preparer', 'prepares'],
      [15, '11:10', 'mara', 'approves'],
      [14, '13:00', 'approver', 'activates'],
      [5, '09:10', 'ines', 'terminates', 'Returned within the trial period.'],
      [4, '10:00', 'approver', 'approves the change', 'Device is back at the vendor.'],
    ],
  },
  {
    key: 'extension',
    type: 'LOAN',
    partyId: PARTIES.clara,
    terms: terms('75000.00', '7.2', 96),
    turns: [
      [13, '09:40', 'preparer', 'prepares'],
      [12, '15:10', 'approver', 'rejects', 'Exposure too high.'],
    ],
  },
  {
    key: 'sports car',
    type: 'HIRE_PURCHASE',
    partyId: PARTIES.nowak,
    terms: terms('64000.00', '4.99', 60),
    more: {
      partnerId: PARTNERS.nordauto,
      asset: { category: 'VEHICLE', description: 'Coupé', make: 'BMW', price: eur('64000.00') },
    },
    turns: [
      [16, '10:10', 'dealer', 'prepares'],
      [15, '13:40', 'mara', 'rejects', 'The proof of income does not match the employer.'],
      [15, '14:00', 'preparer', 'notes', 'Dealer informed by phone. Papers go to the review.'],
    ],
  },
  {
    key: 'crypto rig',
    type: 'LOAN',
    partyId: PARTIES.okafor,
    terms: terms('30000.00', '9.5', 24),
    turns: [
      [10, '13:50', 'jonas', 'drafts'],
      [10, '14:30', 'ines', 'edits', { terms: { termMonths: 36 } }],
      [9, '08:40', 'jonas', 'submits'],
      [9, '16:30', 'chief', 'rejects', 'We do not finance this purpose.'],
    ],
  },
  {
    key: 'second silo',
    type: 'LOAN',
    partyId: PARTIES.krume,
    terms: terms('12000.00', '4.6', 36),
    turns: [
      [8, '13:30', 'ines', 'drafts'],
      [7, '08:30', 'ines', 'withdraws', 'The customer decided against it.'],
    ],
  },
  {
    key: 'tractor',
    type: 'HIRE_PURCHASE',
    partyId: PARTIES.tannhof,
    terms: terms('88000.00', '5.6', 84),
    more: {
      partnerId: PARTNERS.agrimax,
      asset: { category: 'FORESTRY', description: 'Forestry tractor', price: eur('88000.00') },
    },
    turns: [
      [7, '10:10', 'jonas', 'prepares'],
      [5, '16:30', 'jonas', 'withdraws', 'The vendor is suspended.'],
    ],
  },
  {
    key: 'company car',
    type: 'OPERATING_LEASE',
    partyId: PARTIES.yilmaz,
    terms: terms('41000.00', '4.1', 36, { residualValue: eur('18000.00'), vatRate: '19' }),
    turns: [
      [12, '11:00', 'preparer', 'prepares'],
      [11, '13:10', 'approver', 'approves'],
      [9, '14:15', 'preparer', 'withdraws', 'The customer buys the car instead.'],
    ],
  },
]
