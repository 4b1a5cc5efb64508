import { iso } from '../base/time.ts';
import type { Backend } from '../state/backend.ts';
import type { Entity } from '../state/entity.ts';
import type { Subject } from '../state/store.ts';

/** The subject of an example document event. A failed extraction has no email and no extracted data. */
export function exampleDocumentSubject(
  { ids, now }: Backend,
  event: 'document.extracted' | 'document.extraction_failed',
): Subject {
  const succeeded = event === 'document.extracted';
  const at = { created_at: iso(now), updated_at: iso(now) };

  const account: Entity<'account'> = {
    type: 'account',
    id: ids.of('account'),
    render: () => ({ attributes: { company_name: 'Sandbox' } }),
  };
  const representation: Entity<'document_representation'> = {
    type: 'document_representation',
    id: ids.of('specimen document_representation'),
    render: () => ({
      attributes: {
        schema_version: '2026-03-23',
        payload: succeeded ? { invoice_number: 'INV-30118', total_amount: '12450.00', currency: 'USD' } : {},
        ...at,
      },
    }),
  };
  const mail: Entity<'email_submission'> = {
    type: 'email_submission',
    id: ids.of('specimen email_submission'),
    render: () => ({
      attributes: {
        subject: 'Invoice INV-30118',
        body_preview: 'Invoice attached.',
        from: ['billing@supplier.example'],
        to: ['docs@inbox.example'],
        cc: [],
        message_id: '<m-30118@supplier.example>',
        sent_at: iso(now),
        ...at,
      },
    }),
  };
  const id = ids.of('specimen document');
  const document: Entity<'document'> = {
    type: 'document',
    id,
    render: () => ({
      attributes: {
        id,
        name: 'invoice.pdf',
        document_type: succeeded ? 'commercial_invoice' : null,
        document_type_manual: null,
        classification_notes: null,
        source: succeeded ? 'email' : 'upload',
        file_name: 'invoice.pdf',
        file_content_type: 'application/pdf',
        file_size_bytes: 248193,
        ...at,
      },
      relationships: {
        account,
        user: null,
        email_submission: succeeded ? mail : null,
        last_document_representation: representation,
        shipments: [],
        cargos: [],
      },
      links: { self: `/documents/${id}`, download: `/documents/${id}/download_url` },
    }),
  };
  return { reference: document, included: succeeded ? [document, mail, representation] : [document, representation] };
}
