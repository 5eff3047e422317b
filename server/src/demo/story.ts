import type { ContractContent } from '../contracts/index.ts'
import type { NewParty } from '../parties/index.ts'
import { DEMO_IDS } from './people.ts'

export const DEMO_DEALER = {
  code: 'NORDAUTO',
  name: 'Nordauto Handels GmbH',
  kind: 'DEALER',
} as const

export type DemoParty = NewParty & { readonly id: string }

export const DEMO_PARTIES: readonly DemoParty[] = [
  {
    id: DEMO_IDS.customer,
    type: 'PERSON',
    person: { firstName: 'Clara', lastName: 'Sommer', birthDate: '1986-04-12' },
    email: 'clara.sommer@example.org',
    phone: '+49301234567',
    address: { street: 'Lindenallee 4', postalCode: '10115', city: 'Berlin', country: 'DE' },
    language: 'de',
  },
  {
    id: DEMO_IDS.customer2,
    type: 'ORGANISATION',
    organisation: { name: 'Hansen Baumaschinen GmbH', legalForm: 'GmbH', vatId: 'DE123456789' },
    email: 'einkauf@hansen-bau.example.org',
    address: { street: 'Am Kai 12', postalCode: '20457', city: 'Hamburg', country: 'DE' },
    language: 'de',
  },
]

export interface DemoContract {
  readonly preparedBy: string
  readonly draft?: boolean
  readonly content: ContractContent
  readonly decided?: {
    readonly by: string
    readonly move: 'approve' | 'reject' | 'return'
    readonly event: 'approved' | 'rejected' | 'returned'
    readonly comment: string
  }
}

const eur = (amount: string) => ({ amount, currency: 'EUR' })
/** Set when the story is told: the first of the month after. */
const FIRST_DUE_DATE = '2000-01-01'

export const DEMO_CONTRACTS: readonly DemoContract[] = [
  {
    preparedBy: 'preparer',
    content: {
      type: 'LOAN',
      partyId: DEMO_IDS.customer,
      externalRef: 'WEB-1001',
      terms: {
        financedAmount: eur('12500.00'),
        nominalRate: '4.9',
        termMonths: 48,
        firstDueDate: FIRST_DUE_DATE,
      },
    },
  },
  {
    preparedBy: 'preparer',
    content: {
      type: 'FINANCE_LEASE',
      partyId: DEMO_IDS.customer2,
      partnerId: DEMO_IDS.dealer,
      asset: {
        category: 'CONSTRUCTION',
        description: 'Wheel loader, 5 t',
        make: 'Atlas',
        model: 'AR 65',
        serialNumber: 'AR65-77120',
        price: eur('68000.00'),
      },
      terms: {
        financedAmount: eur('60000.00'),
        downPayment: eur('8000.00'),
        residualValue: eur('9000.00'),
        nominalRate: '5.4',
        termMonths: 60,
        timing: 'ADVANCE',
        vatRate: '19',
        firstDueDate: FIRST_DUE_DATE,
      },
      commission: eur('900.00'),
    },
  },
  {
    preparedBy: 'dealer',
    content: {
      type: 'HIRE_PURCHASE',
      partyId: DEMO_IDS.customer,
      partnerId: DEMO_IDS.dealer,
      asset: {
        category: 'VEHICLE',
        description: 'Estate car, used',
        make: 'Volvo',
        model: 'V60',
        serialNumber: 'YV1ZW25UDK1345678',
        price: eur('24900.00'),
      },
      terms: {
        financedAmount: eur('19900.00'),
        downPayment: eur('5000.00'),
        nominalRate: '3.99',
        termMonths: 36,
        firstDueDate: FIRST_DUE_DATE,
      },
    },
  },
  {
    preparedBy: 'chief',
    content: {
      type: 'LOAN',
      partyId: DEMO_IDS.customer2,
      externalRef: 'CHIEF-1',
      terms: {
        financedAmount: eur('250000.00'),
        nominalRate: '6.25',
        termMonths: 84,
        frequency: 'QUARTERLY',
        firstDueDate: FIRST_DUE_DATE,
      },
      internalNote: 'Prepared by the chief: someone else has to decide, whatever the chief may do.',
    },
  },
  {
    preparedBy: 'preparer',
    draft: true,
    content: {
      type: 'OPERATING_LEASE',
      partyId: DEMO_IDS.customer2,
      terms: {
        financedAmount: eur('32000.00'),
        nominalRate: '4.1',
        termMonths: 24,
        firstDueDate: FIRST_DUE_DATE,
      },
    },
  },
  {
    preparedBy: 'preparer',
    content: {
      type: 'LOAN',
      partyId: DEMO_IDS.customer,
      terms: {
        financedAmount: eur('4000.00'),
        nominalRate: '0',
        termMonths: 12,
        firstDueDate: FIRST_DUE_DATE,
      },
    },
    decided: { by: 'approver', move: 'approve', event: 'approved', comment: 'Good standing.' },
  },
  {
    preparedBy: 'preparer',
    content: {
      type: 'LOAN',
      partyId: DEMO_IDS.customer2,
      terms: {
        financedAmount: eur('90000.00'),
        nominalRate: '9.5',
        termMonths: 120,
        firstDueDate: FIRST_DUE_DATE,
      },
    },
    decided: {
      by: 'approver',
      move: 'return',
      event: 'returned',
      comment: 'The term is too long for this purpose.',
    },
  },
  {
    preparedBy: 'preparer',
    content: {
      type: 'LOAN',
      partyId: DEMO_IDS.customer,
      terms: {
        financedAmount: eur('75000.00'),
        nominalRate: '7.2',
        termMonths: 96,
        firstDueDate: FIRST_DUE_DATE,
      },
    },
    decided: { by: 'approver', move: 'reject', event: 'rejected', comment: 'Exposure too high.' },
  },
]
