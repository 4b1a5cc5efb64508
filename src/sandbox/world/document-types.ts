import type { Random } from '../base/random.ts';

/** A type of document. The types of the real service are not published, so these are examples. */
export interface DocumentType {
  code: string;
  label: string;
  /** Only types with a detail view have a description. */
  description?: string;
  /** A document with one of these words in its name is of this type. */
  words: string[];
  /**
   * The properties that are extracted from a document of this type. Properties whose names end in `_date` are ISO
   * dates.
   */
  properties: Record<string, (random: Random, day: string) => string>;
}

export const SCHEMA_VERSION = '2026-03-23';

const digits = (prefix: string) => (random: Random) => `${prefix}${random.integer(10_000, 99_999)}`;
const theDay = (_: Random, day: string) => day;
const company = (random: Random) => random.pick(['Harbor and Pine Trading', 'Northgate Goods', 'Sample Imports']);
const place = (random: Random) => random.pick(['Long Beach', 'Rotterdam', 'Savannah', 'Singapore']);

const DOCUMENT_TYPES: DocumentType[] = [
  {
    code: 'commercial_invoice',
    label: 'Commercial invoice',
    description: 'Goods and prices of one sale',
    words: ['invoice'],
    properties: {
      invoice_number: digits('INV-'),
      invoice_date: theDay,
      supplier_name: company,
      total_amount: random => (random.integer(100_000, 9_000_000) / 100).toFixed(2),
      currency: random => random.pick(['USD', 'EUR']),
    },
  },
  {
    code: 'packing_list',
    label: 'Packing list',
    description: 'Goods, packages and weights of one consignment',
    words: ['packing'],
    properties: { packing_list_number: digits('PL-'), packages: random => String(random.integer(1, 800)) },
  },
  {
    code: 'bill_of_lading',
    label: 'Bill of lading',
    words: ['lading', 'bol'],
    properties: { bill_of_lading_number: digits('BL'), shipper_name: company, port_of_discharge: place },
  },
  {
    code: 'arrival_notice',
    label: 'Arrival notice',
    words: ['arrival'],
    properties: { notice_date: theDay, port_of_discharge: place },
  },
  {
    code: 'delivery_order',
    label: 'Delivery order',
    words: ['delivery'],
    properties: { delivery_order_number: digits('DO-'), deliver_to: place },
  },
];

const OTHER: DocumentType = { code: 'other', label: 'Other', words: [], properties: {} };

export const documentTypes: readonly DocumentType[] = [...DOCUMENT_TYPES, OTHER];

export function typeNamed(code: string | null): DocumentType | undefined {
  return documentTypes.find(type => type.code === code);
}

/** The type of a document, found by the words in its name. */
export function typeFor(name: string): DocumentType {
  const text = name.toLowerCase();
  return DOCUMENT_TYPES.find(({ words }) => words.some(word => text.includes(word))) ?? OTHER;
}

/** The structure of the data that is extracted from a document of this type, as JSON Schema. */
export function structureOf({ properties }: DocumentType): Record<string, unknown> {
  const described = Object.keys(properties).map(name => [name, propertyOf(name)]);
  return { type: 'object', properties: Object.fromEntries(described) };
}

function propertyOf(name: string) {
  return name.endsWith('_date') ? { type: 'string', format: 'date' } : { type: 'string' };
}
