import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * The queue for the recipe for Workers. It receives a message in the format of the queue binding, and immediately passes
 * the message to the consumer. Then it calls the task of the morning, and logs its outcome.
 */
const QUEUE = `export default {
  async fetch(request, env) {
    const format = request.headers.get('x-msg-fmt');
    const bytes = await request.arrayBuffer();
    const text = new TextDecoder().decode(bytes);
    const body = format === 'json' ? JSON.parse(text) : format === 'text' ? text : bytes;
    await env.CONSUMER.queue('notifications', [{ id: '1', timestamp: new Date(), attempts: 1, body }]);
    const { outcome } = await env.CONSUMER.scheduled({ scheduledTime: new Date(), cron: '0 6 * * *' });
    console.log('scheduled:', outcome);
    return Response.json({ metadata: { metrics: { backlogCount: 0, backlogBytes: 0 } } });
  },
};
`;

/** Writes a configuration with which workerd serves the module on the port, with environment variables and a queue. */
export function writeWorkerConfig(
  directory: string,
  module: string,
  port: number,
  env: Record<string, string>,
): string {
  writeFileSync(join(directory, 'queue.mjs'), QUEUE);
  const variables = Object.entries(env).map(([name, text]) => `(name = "${name}", text = "${text}")`);
  const worker = (name: string, file: string, bindings: string[]) => `(name = "${name}", worker = (
      modules = [(name = "${file}", esModule = embed "${file}")],
      compatibilityDate = "2026-10-01",
      compatibilityFlags = ["service_binding_extra_handlers"],
      bindings = [${bindings.join(', ')}],
      globalOutbound = "loopback",
    ))`;
  const config = `using Workerd = import "/workerd/workerd.capnp";
const config :Workerd.Config = (
  services = [
    ${worker('main', module, [...variables, '(name = "NOTIFICATIONS", queue = "queue")'])},
    ${worker('queue', 'queue.mjs', ['(name = "CONSUMER", service = "main")'])},
    (name = "loopback", network = (allow = ["private"])),
  ],
  sockets = [(name = "http", address = "127.0.0.1:${port}", http = (), service = "main")],
);
`;
  const path = join(directory, 'worker.capnp');
  writeFileSync(path, config);
  return path;
}
