import { PARTIES, PARTNERS } from './cast.ts'
import { eur, type Life, terms } from './life.ts'

/** What waits for someone: a decision, or a preparer who takes it up again. */
export const waitingLives: readonly Life[] = [
  {
    key: 'chief’s own',
    type: 'LOAN',
    partyId: PARTIES.hansen,
    terms: terms('250000.00', '6.25', 84, { frequency: 'QUARTERLY' }),
    more: {
      externalRef: 'CHIEF-1',
      internalNote: 'Prepared by the chief: someone else has to decide, whatever the chief may do.',
    },
    turns: [[3, '10:00', 'chief', 'prepares']],
  },
  {
    key: 'estate car',
    type: 'HIRE_PURCHASE',
    partyId: PARTIES.clara,
    terms: terms('19900.00', '3.99', 36, { downPayment: eur('5000.00') }),
    more: {
      partnerId: PARTNERS.nordauto,
      asset: {
        category: 'VEHICLE',
        description: 'Estate car, used',
        make: 'Volvo',
        model: 'V60',
        serialNumber: 'YV1ZW25UDK1345678',
        price: eur('24900.00'),
      },
    },
    turns: [[2, '13:20', 'dealer', 'prepares']],
  },
  {
    key: 'excavator',
    type: 'FINANCE_LEASE',
    partyId: PARTIES.hansen,
    terms: terms('118000.00', '5.35', 60, { residualValue: eur('20000.00'), vatRate: '19' }),
    more: {
      asset: {
        category: 'CONSTRUCTION',
        description: 'Crawler excavator',
        make: 'Liebherr',
        model: 'R 914',
        serialNumber: 'LB-R914-20331',
        price: eur('118000.00'),
      },
    },
    turns: [
      [4, '09:50', 'preparer', 'prepares'],
      [2, '10:10', 'preparer', 'notes', 'The customer asks for an answer this week.'],
    ],
  },
  {
    key: 'x-ray',
    type: 'HIRE_PURCHASE',
    partyId: PARTIES.yilmaz,
    terms: terms('76000.00', '4.45', 72),
    more: {
      partnerId: PARTNERS.brook,
      commission: eur('760.00'),
      asset: { category: 'MEDICAL', description: 'Digital X-ray', price: eur('76000.00') },
    },
    turns: [
      [6, '13:30', 'ines', 'prepares'],
      [5, '10:40', 'mara', 'returns', 'Which guarantee covers the first year?'],
      [
        3,
        '13:10',
        'ines',
        'edits',
        { internalNote: 'Guarantee of the medical chamber, copy filed.' },
      ],
      [3, '13:15', 'ines', 'submits'],
    ],
  },
  {
    key: 'warehouse racks',
    type: 'LOAN',
    partyId: PARTIES.elbe,
    terms: terms('64000.00', '4.8', 60),
    turns: [[2, '09:05', 'jonas', 'prepares']],
  },
  {
    key: 'bindery',
    type: 'FINANCE_LEASE',
    partyId: PARTIES.morgenrot,
    terms: terms('47500.00', '4.95', 48, { timing: 'ADVANCE', vatRate: '19' }),
    more: {
      asset: { category: 'MACHINERY', description: 'Perfect binder', price: eur('47500.00') },
    },
    turns: [
      [2, '14:40', 'jonas', 'drafts'],
      [1, '08:30', 'ines', 'submits'],
    ],
  },
  {
    key: 'wedding',
    type: 'LOAN',
    partyId: PARTIES.ferrari,
    terms: terms('9500.00', '5.75', 36),
    more: { externalRef: 'WEB-1042' },
    turns: [[1, '09:20', 'preparer', 'prepares']],
  },
  {
    key: 'city car',
    type: 'HIRE_PURCHASE',
    partyId: PARTIES.ferrari,
    terms: terms('13900.00', '4.25', 48, { downPayment: eur('2000.00') }),
    more: {
      partnerId: PARTNERS.nordauto,
      asset: { category: 'VEHICLE', description: 'City car', make: 'Fiat', price: eur('15900.00') },
    },
    turns: [[1, '10:35', 'dealer', 'prepares']],
  },
  {
    key: 'office',
    type: 'OPERATING_LEASE',
    partyId: PARTIES.hansen,
    terms: terms('32000.00', '4.1', 24),
    turns: [[2, '15:30', 'preparer', 'drafts']],
  },
  {
    key: 'long loan',
    type: 'LOAN',
    partyId: PARTIES.hansen,
    terms: terms('90000.00', '9.5', 120),
    turns: [
      [4, '11:20', 'preparer', 'prepares'],
      [2, '16:05', 'approver', 'returns', 'The term is too long for this purpose.'],
    ],
  },
  {
    key: 'camper',
    type: 'HIRE_PURCHASE',
    partyId: PARTIES.lindqvist,
    terms: terms('36500.00', '4.6', 60),
    more: {
      partnerId: PARTNERS.nordauto,
      asset: { category: 'VEHICLE', description: 'Camper van', price: eur('36500.00') },
    },
    turns: [
      [5, '13:30', 'dealer', 'prepares'],
      [3, '11:15', 'mara', 'returns', 'The serial number is missing.'],
    ],
  },
  {
    key: 'solar roof',
    type: 'LOAN',
    partyId: PARTIES.tannhof,
    terms: terms('58000.00', '3.85', 120, { frequency: 'YEARLY' }),
    turns: [
      [8, '09:00', 'jonas', 'prepares'],
      [6, '11:20', 'approver', 'approves'],
      [3, '14:40', 'ines', 'reopens', 'The roof is larger than planned; the offer changes.'],
    ],
  },
]
