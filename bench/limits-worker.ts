/** One of several processes that share a budget over Redis. */
import { once } from 'node:events';
import { call, overRedis } from './limiters.ts';

const [name = '', port, url = '', windowMs, count] = process.argv.slice(2);
const { take, close } = await overRedis(name, Number(port), Number(windowMs));
await Promise.all(Array.from({ length: 50 }, async () => (await fetch(`${url}/warm-up`)).text()));
process.stdout.write('ready');
await once(process.stdin, 'data');
const answers = await Promise.all(Array.from({ length: Number(count) }, () => call(url, 'default', take)));
process.stdout.write(String(answers.filter(ms => ms !== undefined).length));
await close();
process.exit();
