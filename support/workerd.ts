import { type ChildProcess, spawn } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { freePort } from './free-port.ts';
import { tool } from './packed.ts';

/**
 * Runs the module in `directory` in workerd and returns its response. The module's environment has `BASE_URL`, and the module
 * may send requests to loopback.
 */
export async function answerOfWorker(directory: string, module: string, baseUrl: string): Promise<Response> {
  const { workerd, url } = await serveWorker(directory, module, baseUrl);
  try {
    const response = await whenUp(url, workerd);
    return new Response(await response.text(), response);
  } finally {
    workerd.kill('SIGKILL');
  }
}

/** Starts workerd with the module in `directory`. The module's environment has `BASE_URL`. */
export async function serveWorker(
  directory: string,
  module: string,
  baseUrl: string,
  date = '2026-10-01',
  flags: readonly string[] = [],
): Promise<{ workerd: ChildProcess; url: string }> {
  const port = await freePort();
  writeFileSync(join(directory, 'worker.capnp'), config(module, port, baseUrl, date, flags));
  const workerd = spawn(tool('workerd'), ['serve', 'worker.capnp'], { cwd: directory, stdio: 'ignore' });
  return { workerd, url: `http://127.0.0.1:${port}/` };
}

function config(module: string, port: number, baseUrl: string, date: string, flags: readonly string[]): string {
  return `using Workerd = import "/workerd/workerd.capnp";
const config :Workerd.Config = (
  services = [
    (name = "main", worker = (
      modules = [(name = "${module}", esModule = embed "${module}")],
      compatibilityDate = "${date}",
      compatibilityFlags = ${JSON.stringify(flags)},
      bindings = [(name = "BASE_URL", text = "${baseUrl}")],
      globalOutbound = "loopback",
    )),
    (name = "loopback", network = (allow = ["private"])),
  ],
  sockets = [(name = "http", address = "127.0.0.1:${port}", http = (), service = "main")],
);
`;
}

/** The first response of a server that is starting. */
export async function whenUp(url: string, server: ChildProcess): Promise<Response> {
  for (let attempt = 0; ; attempt += 1) {
    try {
      return await fetch(url);
    } catch (error) {
      if (attempt > 200 || server.exitCode !== null) throw error;
      await new Promise(resolve => setTimeout(resolve, 50));
    }
  }
}
