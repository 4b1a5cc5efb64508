import { failed, wrongUsage } from './command.ts';

const HOW_TO_PASS_A_PASSWORD =
  'Other users of this machine can read the arguments of a command. Pass the address in DATABASE_URL, or the password in PGPASSWORD or in the password file (~/.pgpass).';

/** @throws {CommandError} if an address of the command line has a password. Never with the address in it. */
export function refusePassword(option: string, address: string): void {
  if (hasPassword(address)) throw wrongUsage(`${option} must not have a password. ${HOW_TO_PASS_A_PASSWORD}`);
}

/** The address of `--postgres`. @throws {CommandError} for one that cannot be used. */
export function postgresAddress(given: string, environment = process.env): string {
  if (given === 'env') {
    if (!environment.DATABASE_URL) throw wrongUsage('--postgres env needs DATABASE_URL.');
    return environment.DATABASE_URL;
  }
  if (!/^postgres(?:ql)?:\/\//.test(given)) throw wrongUsage('--postgres must begin with postgres://, or be env.');
  refusePassword('--postgres', given);
  return given;
}

/** In doubt it has one: an address that cannot be read may have a password with characters that are not encoded. */
function hasPassword(address: string): boolean {
  if (!URL.canParse(address)) return address.includes('@');
  const { password, searchParams } = new URL(address);
  return password !== '' || [...searchParams.keys()].some(name => /^(?:password|sslpassword)$/i.test(name));
}

/** A pool of few connections, named after the command. */
export async function openPool(connectionString: string, command: string) {
  const { Pool } = await loadPg();
  const pool = new Pool({ connectionString, max: 5, application_name: `container-tracking ${command}` });
  // An idle connection that breaks is replaced. What needs one reports its own error.
  pool.on('error', () => {});
  return pool;
}

/** The package is a peer dependency that only this needs. */
async function loadPg(): Promise<Pick<typeof import('pg'), 'Pool'>> {
  try {
    const pg = await import('pg');
    // Before 8.15 it is CommonJS without names that Node can see.
    return pg.Pool ? pg : pg.default;
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (!/MODULE_NOT_FOUND/.test(code ?? '') || !message.includes("'pg'")) throw error;
    throw failed(
      'PostgreSQL needs the package pg. Install it, or run:\n  npx -p container-tracking-sdk -p pg container-tracking …',
    );
  }
}
