import { reach } from '../notifications/watch.ts';
import type { Task } from '../state/agenda.ts';
import type { Backend } from '../state/backend.ts';
import type { Shipment } from '../state/store.ts';
import { endStep } from './documents.ts';
import { receiveEmail } from './email.ts';
import { answerRequest, countAttempt, endRequest } from './tracking.ts';

/** The email of a scenario: one document that can be read, and one that cannot. */
function receiveScenarioEmail(backend: Backend, { number }: Shipment): void {
  receiveEmail(backend, {
    subject: `Documents for ${number}`,
    attachments: [
      { filename: `arrival notice ${number}.pdf`, content: `arrival notice for ${number}` },
      { filename: `unreadable scan ${number}.pdf`, content: `scan for ${number}` },
    ],
  });
}

/** Does what was on the agenda. */
export function perform(backend: Backend, task: Task): void {
  switch (task.kind) {
    case 'answer':
      answerRequest(backend, task.request);
      break;
    case 'outcome':
      endRequest(backend, task.request, task.failedReason);
      break;
    case 'attempt':
      countAttempt(backend, task.request, task.count);
      break;
    case 'document':
      endStep(backend, task.document, task.step, task.goOn);
      break;
    case 'voyage':
      reach(backend, task.shipment, task.index);
      break;
    case 'email':
      receiveScenarioEmail(backend, task.shipment);
      break;
    case 'delivery':
      backend.deliveries.retry(backend, task.notification);
      break;
  }
}
