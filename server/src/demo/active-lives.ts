import { PARTIES, PARTNERS } from './cast.ts'
import { eur, type Life, terms } from './life.ts'

/** Contracts that came all the way: they run now, some of them with a change under way. */
export const activeLives: readonly Life[] = [
  {
    key: 'first loan',
    type: 'LOAN',
    partyId: PARTIES.clara,
    terms: terms('12500.00', '4.9', 48),
    more: { externalRef: 'WEB-1001' },
    turns: [
      [20, '09:40', 'preparer', 'prepares'],
      [20, '15:10', 'approver', 'approves', 'Good standing.'],
      [19, '09:05', 'approver', 'activates'],
    ],
  },
  {
    key: 'wheel loader',
    type: 'FINANCE_LEASE',
    partyId: PARTIES.hansen,
    terms: terms('60000.00', '5.4', 60, {
      downPayment: eur('8000.00'),
      residualValue: eur('9000.00'),
      timing: 'ADVANCE',
      vatRate: '19',
    }),
    more: {
      partnerId: PARTNERS.nordauto,
      asset: {
        category: 'CONSTRUCTION',
        description: 'Wheel loader, 5 t',
        make: 'Atlas',
        model: 'AR 65',
        serialNumber: 'AR65-77120',
        price: eur('68000.00'),
      },
    },
    turns: [
      [20, '10:15', 'preparer', 'drafts'],
      [20, '11:00', 'preparer', 'edits', { commission: eur('900.00') }],
      [20, '11:05', 'preparer', 'submits'],
      [19, '10:00', 'chief', 'approves'],
      [18, '09:00', 'approver', 'activates'],
      [18, '09:30', 'preparer', 'notes', 'Delivery note received; machine is on the yard.'],
    ],
  },
  {
    key: 'ovens',
    type: 'HIRE_PURCHASE',
    partyId: PARTIES.krume,
    terms: terms('38000.00', '4.35', 60, { downPayment: eur('4000.00') }),
    more: {
      asset: {
        category: 'MACHINERY',
        description: 'Deck ovens, two',
        make: 'Wachtel',
        price: eur('42000.00'),
      },
    },
    turns: [
      [19, '09:30', 'ines', 'prepares'],
      [19, '16:40', 'mara', 'returns', 'The serial number of the ovens is missing.'],
      [18, '08:50', 'ines', 'edits', { asset: { serialNumber: 'WT-2026-0815' } }],
      [18, '08:55', 'ines', 'submits'],
      [18, '14:20', 'mara', 'approves'],
      [17, '09:10', 'approver', 'activates'],
      [
        ...([9, '10:00', 'ines', 'amends'] as const),
        { terms: { termMonths: 72 }, reason: 'The customer asks for lower instalments.' },
      ],
      [8, '09:20', 'approver', 'approves the change', 'Affordable; no new risk.'],
    ],
  },
  {
    key: 'harvester',
    type: 'FINANCE_LEASE',
    partyId: PARTIES.tannhof,
    terms: terms('145000.00', '5.9', 72, { residualValue: eur('30000.00'), vatRate: '19' }),
    more: {
      partnerId: PARTNERS.agrimax,
      commission: eur('2175.00'),
      asset: {
        category: 'FORESTRY',
        description: 'Harvester, used',
        make: 'Ponsse',
        model: 'Beaver',
        serialNumber: 'PB-330912',
        price: eur('145000.00'),
      },
    },
    turns: [
      [19, '11:15', 'jonas', 'prepares'],
      [18, '10:40', 'chief', 'approves', 'Second-hand value checked with two dealers.'],
      [17, '10:00', 'mara', 'activates'],
    ],
  },
  {
    key: 'delivery vans',
    type: 'OPERATING_LEASE',
    partyId: PARTIES.elbe,
    terms: terms('210000.00', '4.75', 36, { residualValue: eur('84000.00'), vatRate: '19' }),
    more: {
      asset: { category: 'VEHICLE', description: 'Delivery vans, six', price: eur('210000.00') },
    },
    turns: [
      [17, '13:00', 'jonas', 'prepares'],
      [16, '11:00', 'approver', 'approves'],
      [15, '09:00', 'chief', 'activates'],
      [4, '15:20', 'jonas', 'notes', 'Two vans were damaged by hail; insurer informed.'],
      [3, '09:30', 'preparer', 'terminates', 'The customer gives up the route.'],
    ],
  },
  {
    key: 'ultrasound',
    type: 'FINANCE_LEASE',
    partyId: PARTIES.yilmaz,
    terms: terms('52000.00', '4.2', 60, { frequency: 'QUARTERLY' }),
    more: {
      partnerId: PARTNERS.brook,
      commission: eur('520.00'),
      asset: {
        category: 'MEDICAL',
        description: 'Ultrasound unit',
        make: 'Mindray',
        serialNumber: 'MR-55102-K',
        price: eur('52000.00'),
      },
    },
    turns: [
      [17, '10:20', 'preparer', 'prepares'],
      [16, '13:40', 'mara', 'approves'],
      [14, '09:00', 'approver', 'activates'],
    ],
  },
  {
    key: 'printing press',
    type: 'LOAN',
    partyId: PARTIES.morgenrot,
    terms: terms('90000.00', '5.15', 84, { frequency: 'QUARTERLY' }),
    more: { externalRef: 'MR-2026-01' },
    turns: [
      [16, '09:45', 'ines', 'prepares'],
      [15, '15:30', 'chief', 'approves'],
      [14, '10:10', 'approver', 'activates'],
      [
        ...([7, '14:00', 'ines', 'amends'] as const),
        { terms: { nominalRate: '3.9' }, reason: 'The customer has a cheaper offer.' },
      ],
      [6, '09:40', 'chief', 'rejects the change', 'Below our funding. Offer a shorter term.'],
    ],
  },
  {
    key: 'kitchen',
    type: 'LOAN',
    partyId: PARTIES.weber,
    terms: terms('8000.00', '6.49', 36),
    turns: [
      [15, '10:30', 'ines', 'prepares'],
      [15, '16:00', 'approver', 'approves'],
      [14, '11:00', 'mara', 'activates'],
    ],
  },
  {
    key: 'family car',
    type: 'HIRE_PURCHASE',
    partyId: PARTIES.lindqvist,
    terms: terms('21400.00', '3.99', 48, { downPayment: eur('5500.00') }),
    more: {
      partnerId: PARTNERS.nordauto,
      asset: {
        category: 'VEHICLE',
        description: 'Electric car, demonstrator',
        make: 'Volvo',
        model: 'EX30',
        serialNumber: 'YV12ZEL51R2004711',
        price: eur('26900.00'),
      },
    },
    turns: [
      [14, '09:20', 'dealer', 'prepares'],
      [13, '10:15', 'mara', 'approves'],
      [12, '09:00', 'approver', 'activates'],
    ],
  },
  {
    key: 'studies',
    type: 'LOAN',
    partyId: PARTIES.okafor,
    terms: terms('15500.00', '5.25', 60),
    turns: [
      [13, '11:30', 'jonas', 'prepares'],
      [12, '13:20', 'approver', 'approves'],
      [11, '09:10', 'approver', 'activates'],
    ],
  },
  {
    key: 'flour silo',
    type: 'LOAN',
    partyId: PARTIES.krume,
    terms: terms('20000.00', '0', 12),
    more: { internalNote: 'Without interest: goodwill after the delayed delivery of the ovens.' },
    turns: [
      [11, '10:45', 'chief', 'prepares'],
      [10, '09:30', 'approver', 'approves', 'Goodwill agreed with the board.'],
      [9, '09:00', 'mara', 'activates'],
    ],
  },
]
