import { PARTIES, PARTNERS } from './cast.ts'
import { eur, type Life, terms } from './life.ts'

/** Approved and not yet active, and the youngest of the active ones. */
export const approvedLives: readonly Life[] = [
  {
    key: 'small loan',
    type: 'LOAN',
    partyId: PARTIES.clara,
    terms: terms('4000.00', '0', 12),
    more: { partnerId: PARTNERS.nordauto },
    turns: [
      [5, '09:40', 'preparer', 'prepares'],
      [4, '14:10', 'approver', 'approves', 'Good standing.'],
    ],
  },
  {
    key: 'compactor',
    type: 'HIRE_PURCHASE',
    partyId: PARTIES.hansen,
    terms: terms('27500.00', '5.1', 48),
    more: {
      asset: { category: 'CONSTRUCTION', description: 'Compactor', price: eur('27500.00') },
    },
    turns: [
      [6, '09:00', 'jonas', 'prepares'],
      [5, '11:30', 'chief', 'approves'],
    ],
  },
  {
    key: 'dough mixer',
    type: 'FINANCE_LEASE',
    partyId: PARTIES.krume,
    terms: terms('14800.00', '4.7', 36, { vatRate: '19' }),
    more: {
      asset: { category: 'MACHINERY', description: 'Spiral mixer', price: eur('14800.00') },
    },
    turns: [
      [9, '13:20', 'ines', 'prepares'],
      [8, '15:00', 'mara', 'approves'],
      [7, '13:00', 'ines', 'reopens', 'The customer takes the larger model.'],
      [
        ...([7, '13:20', 'ines', 'edits'] as const),
        { terms: { financedAmount: eur('17200.00') }, asset: { price: eur('17200.00') } },
      ],
      [7, '13:25', 'ines', 'submits'],
      [6, '14:10', 'mara', 'approves', 'The new amount is covered as well.'],
    ],
  },
  {
    key: 'motorcycle',
    type: 'HIRE_PURCHASE',
    partyId: PARTIES.weber,
    terms: terms('11900.00', '5.49', 48),
    more: {
      partnerId: PARTNERS.nordauto,
      asset: {
        category: 'VEHICLE',
        description: 'Motorcycle',
        make: 'KTM',
        price: eur('11900.00'),
      },
    },
    turns: [
      [4, '13:00', 'ines', 'prepares'],
      [3, '15:20', 'approver', 'approves'],
    ],
  },
  {
    key: 'guarantee line',
    type: 'LOAN',
    partyId: PARTIES.elbe,
    terms: terms('120000.00', '5.05', 36, { frequency: 'QUARTERLY' }),
    turns: [
      [3, '08:50', 'chief', 'prepares'],
      [2, '12:30', 'mara', 'approves', 'Annual accounts seen.'],
    ],
  },
  {
    key: 'trailers',
    type: 'FINANCE_LEASE',
    partyId: PARTIES.elbe,
    terms: terms('96000.00', '5.2', 60, { residualValue: eur('16000.00'), vatRate: '19' }),
    more: {
      partnerId: PARTNERS.brook,
      asset: { category: 'VEHICLE', description: 'Trailers, four', price: eur('96000.00') },
    },
    turns: [
      [10, '10:00', 'jonas', 'prepares'],
      [9, '11:40', 'approver', 'approves'],
      [8, '11:00', 'mara', 'activates'],
      [
        ...([2, '10:50', 'jonas', 'amends'] as const),
        {
          terms: { residualValue: eur('24000.00') },
          reason: 'The vendor guarantees a higher buy-back.',
        },
      ],
    ],
  },
  {
    key: 'used car',
    type: 'HIRE_PURCHASE',
    partyId: PARTIES.ferrari,
    terms: terms('7900.00', '5.99', 36, { downPayment: eur('1000.00') }),
    more: {
      partnerId: PARTNERS.nordauto,
      asset: { category: 'VEHICLE', description: 'Compact car, used', price: eur('8900.00') },
    },
    turns: [
      [14, '10:40', 'dealer', 'drafts'],
      [14, '11:05', 'dealer', 'edits', { commission: eur('120.00') }],
      [14, '11:10', 'dealer', 'submits'],
      [13, '14:50', 'approver', 'approves'],
      [11, '14:00', 'mara', 'activates'],
    ],
  },
]
