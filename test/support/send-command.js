// node send-command.js <origin> <command> [arguments]: has the test that serves <origin> run a command, and ends like it.
import { request } from 'node:http';
import process from 'node:process';
import { text } from 'node:stream/consumers';

const [origin, name, ...args] = process.argv.slice(2);
const sent = request(`${origin}/command`, { method: 'POST' }, async (response) => {
  const { code, stdout, stderr } = JSON.parse(await text(response));
  process.stdout.write(stdout);
  process.stderr.write(stderr);
  process.exitCode = code;
});
sent.end(JSON.stringify({ name, args, cwd: process.cwd(), env: process.env }));
