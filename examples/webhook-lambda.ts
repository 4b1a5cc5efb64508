/**
 * Receives notifications with AWS Lambda, behind a function URL, an API Gateway or a load balancer, and passes them to a
 * queue. With SQS, `send` would be
 *
 *   sqs.send(new SendMessageCommand({ QueueUrl, MessageBody, MessageGroupId: group, MessageDeduplicationId: id }))
 */
import { createReceiver, fromQueue } from 'container-tracking-sdk/webhooks';

const { TRACKING_WEBHOOK_SECRET, QUEUE_URL = '' } = process.env;

const inbox = fromQueue(async ({ id, group, body }) => {
  const response = await fetch(QUEUE_URL, {
    method: 'POST',
    headers: { 'message-deduplication-id': id, 'message-group-id': group },
    body: new Uint8Array(body),
  });
  // After this error the receiver responds with 503, and the service tries again.
  if (!response.ok) throw new Error(`The queue responded with ${response.status}.`);
});

export const handler = createReceiver({ secrets: [TRACKING_WEBHOOK_SECRET], inbox }).lambda;
