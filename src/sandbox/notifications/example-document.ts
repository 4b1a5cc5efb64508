import { iso } from '../base/time.ts';
import type { Backend } from '../state/backend.ts';
import type { Entity } from '../state/entity.ts';
import type { Subject } from '../state/store.ts';

type DocumentEvent =
  | 'document.extracted'
  | 'document.extraction_failed'
  | 'document_representation.created'
  | 'document_representation.failed'
  | 'link.created';

/** The subject of an example event of a document. Under its newer name, a failed extraction has an email and no data. */
export function exampleDocumentSubject(
  { ids, now }: Backend,
  event: DocumentEvent,
  documentType = 'commercial_invoice',
): Subject {
  const isNewer = !event.startsWith('document.');
  const succeeded = !/fail/.test(event);
  const hasMail = succeeded || isNewer;
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
        document_type: succeeded ? documentType : isNewer ? 'unknown' : null,
        document_type_manual: null,
        classification_notes: null,
        source: hasMail ? 'email' : 'upload',
        file_name: 'invoice.pdf',
        file_content_type: 'application/pdf',
        file_size_bytes: 248193,
        ...at,
      },
      relationships: {
        account,
        user: null,
        email_submission: hasMail ? mail : null,
        last_document_representation: succeeded || !isNewer ? representation : null,
        shipments: [],
        cargos: [],
      },
      links: { self: `/documents/${id}`, download: `/documents/${id}/download_url` },
    }),
  };
  if (isNewer) return { reference: document, included: [...(succeeded ? [representation] : []), document, mail] };
  return { reference: document, included: succeeded ? [document, mail, representation] : [document, representation] };
}
