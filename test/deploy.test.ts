import { execFile } from 'node:child_process';
import { existsSync, globSync, readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join, posix } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { readConfig } from '../src/config.ts';
import { childEnvironment } from './support/child-environment.ts';
import { assetUrl, faultyRegistry, uncheckedServerOn } from './support/serving.ts';

const root = join(import.meta.dirname, '..');
const read = (path: string) => readFileSync(join(root, path), 'utf8');
const manifest = JSON.parse(read('package.json'));
const defaults = readConfig({});

/** The instructions of the Containerfile, by stage. */
function readStages(): { image: string; name: string | undefined; steps: [instruction: string, rest: string][] }[] {
  const lines = read('deploy/Containerfile')
    .replace(/^#.*\n/gm, '')
    .replace(/\\\n\s*/g, '')
    .split('\n')
    .filter((line) => line !== '');
  const steps = lines.map((line) => /^([A-Z]+) (.*)$/.exec(line)?.slice(1) as [string, string]);
  const stages: ReturnType<typeof readStages> = [];
  for (const [instruction, rest] of steps) {
    const [image = '', , name] = rest.split(' ');
    if (instruction === 'FROM') stages.push({ image, name, steps: [] });
    else stages.at(-1)?.steps.push([instruction, rest]);
  }
  return stages;
}

describe('the Containerfile', () => {
  const stages = readStages();
  const last = stages.at(-1) as (typeof stages)[number];
  const valuesOf = (stage: typeof last, wanted: string) =>
    stage.steps.flatMap(([instruction, rest]) => (instruction === wanted ? [rest] : []));

  it('OPS-03 pins its images, and the final one has no package manager of Node', () => {
    expect(stages).toHaveLength(2);
    for (const { image } of stages) expect(image).toMatch(/^docker\.io\/library\/\w+:\d+\.\d+(\.\d+)?-[\w-]+$/);
    expect(last.image).toContain('/debian:');
    expect(valuesOf(last, 'RUN')).toEqual([]);
  });

  it('OPS-03 copies only what exists, and what the build is allowed to see', () => {
    const allowed = read('.dockerignore')
      .match(/^!.*$/gm)
      ?.map((line) => line.slice(1));
    const copied = stages
      .flatMap((stage) => valuesOf(stage, 'COPY'))
      .filter((copy) => !copy.includes('--from='))
      .flatMap((copy) => copy.split(' ').slice(0, -1));
    expect(copied.length).toBeGreaterThan(5);
    for (const path of copied) expect([path, existsSync(join(root, path))]).toEqual([path, true]);
    expect(new Set(copied)).toEqual(new Set(allowed));
  });

  it('OPS-03 copies from the build only what it makes', () => {
    const scripts = valuesOf(stages[0] as typeof last, 'RUN').join('\n');
    const made = [
      ...valuesOf(stages[0] as typeof last, 'COPY').map((copy) => posix.basename(copy.split(' ').at(-1) ?? '')),
    ];
    for (const copy of valuesOf(last, 'COPY').filter((each) => each.includes('--from=build'))) {
      const path = copy.split(' ').find((part) => part.startsWith('/build/')) as string;
      const name = path.slice('/build/'.length);
      const isMade =
        made.includes(name) ||
        new RegExp(`\\b(mv .*|mkdir) ${name}\\b`).test(scripts) ||
        ['node_modules', 'dist'].includes(name);
      expect([path, isMade]).toEqual([path, true]);
    }
    expect(scripts).toContain('npm ci --omit=dev');
    expect(scripts).toContain('scripts/build-package.ts && node scripts/slim-install.js');
  });

  it('OPS-03 runs as a user without rights, and starts what was copied', () => {
    expect(valuesOf(last, 'USER')).toEqual(['10001:10001']);
    const [entry = '[]'] = valuesOf(last, 'ENTRYPOINT');
    const script = (JSON.parse(entry) as string[]).at(-1) as string;
    expect(script).toMatch(/^\/opt\/tatemono\//);
    expect(existsSync(join(root, script.slice('/opt/tatemono/'.length)))).toBe(true);
    expect(valuesOf(last, 'CMD')).toEqual(['["serve"]']);
    const settings = Object.fromEntries((valuesOf(last, 'ENV')[0] ?? '').split(/\s+/).map((part) => part.split('=')));
    expect(readConfig(settings)).toMatchObject({ host: '0.0.0.0', port: Number(valuesOf(last, 'EXPOSE')[0]) });
  });

  it('OPS-03 has a health check that notices a service that fails or is gone', async () => {
    const [check = ''] = valuesOf(last, 'HEALTHCHECK');
    const [program, ...args] = JSON.parse(check.slice(check.indexOf('CMD ') + 'CMD '.length)) as string[];
    expect(program).toBe('node');
    const asked: (string | undefined)[] = [];
    let status = 200;
    const server = createServer((request, response) => {
      asked.push(request.url);
      response.writeHead(status).end();
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo;
    const run = () =>
      promisify(execFile)(process.execPath, args, { env: childEnvironment({ PORT: String(port) }) }).then(
        () => 0,
        ({ code }: { code: number }) => code,
      );
    expect(await run()).toBe(0);
    status = 503;
    expect(await run()).toBe(1);
    await new Promise((resolve) => server.close(resolve));
    expect(await run()).toBe(1);
    expect(asked).toEqual(['/healthz', '/healthz']);
  });
});

describe('the compose file', () => {
  const { services, volumes } = parse(read('deploy/compose.yaml'), { merge: true }) as {
    services: Record<string, Record<string, unknown> & { environment: Record<string, string>; volumes: string[] }>;
    volumes: Record<string, unknown>;
  };

  it('OPS-03 starts PostgreSQL, a standby, and the service that reads from it', () => {
    const { environment, ...service } = services.service as (typeof services)[string];
    const settings = Object.fromEntries(
      Object.entries(environment).map(([name, value]) => [
        name,
        value.replace(/\$\{(\w+)[^}]*\}/g, (_, key) => (key === 'BASE_URL' ? '' : 'secret')),
      ]),
    );
    const config = readConfig(settings);
    expect([config.databaseUrl, ...config.databaseReadUrls].map((url) => new URL(url).hostname)).toEqual([
      'primary',
      'standby',
    ]);
    expect(service).toMatchObject({ read_only: true, cap_drop: ['ALL'], tmpfs: ['/tmp'] });
    expect(service.ports).toEqual([`127.0.0.1:${defaults.port}:${defaults.port}`]);
    expect(Object.keys(service.depends_on as object)).toEqual(['primary', 'standby']);
    for (const name of ['primary', 'standby']) expect(services[name]).toHaveProperty('healthcheck.test');
  });

  it('OPS-03 names only files, volumes and passwords that exist', () => {
    const mounted = Object.values(services).flatMap((service) =>
      service.volumes.map((each) => each.split(':')[0] as string),
    );
    for (const path of mounted) {
      expect([path, path.startsWith('./') ? existsSync(join(root, 'deploy', path)) : path in volumes]).toEqual([
        path,
        true,
      ]);
    }
    const asked = new Set(read('deploy/compose.yaml').match(/(?<=\$\{)\w+/g));
    expect(new Set(read('deploy/compose.env.example').match(/^\w+(?==)/gm))).toEqual(asked);
    for (const { image } of Object.values(services)) expect(image).toMatch(/^localhost\/tatemono$|:\d+\.\d+-\w+$/);
  });
});

describe('the units of systemd', () => {
  it.each(['tatemono.service', 'tatemono-backup.service'])('OPS-03 %s runs the package with few rights', (name) => {
    const unit = read(`deploy/systemd/${name}`);
    const [, script = ''] = /\/opt\/tatemono\/node_modules\/tatemono\/(\S+\.js) (?:serve|backup)/.exec(unit) ?? [];
    expect(script).toBe(manifest.bin.tatemono);
    for (const line of ['ProtectSystem=strict', 'NoNewPrivileges=yes', 'CapabilityBoundingSet=', 'User=tatemono']) {
      expect(unit.split('\n')).toContain(line);
    }
    expect(read('deploy/systemd/tatemono.sysusers')).toContain('u tatemono ');
  });
});

describe('the examples of proxies', () => {
  it.each(['deploy/nginx.conf', 'deploy/Caddyfile'])(
    'OPS-03 %s leads to the default address and hides /metrics',
    (path) => {
      const text = read(path);
      expect(text).toContain(`${defaults.host}:${defaults.port}`);
      expect(text).toMatch(/\/metrics/);
      const [, proxy] = /TRUST_PROXY=(\w+)/.exec(text) ?? [];
      expect(readConfig({ TRUST_PROXY: proxy }).trustProxy).toBe('loopback');
    },
  );

  it('OPS-03 nginx replaces the address that a client claims', () => {
    expect(read('deploy/nginx.conf')).toContain('proxy_set_header X-Forwarded-For $remote_addr;');
  });
});

describe('metrics', () => {
  const document = read('docs/reference/monitoring.md');
  const documented = new Set([...document.matchAll(/^\| `(tatemono_\w+)` \|/gm)].map(([, name]) => name as string));

  const metricsIn = (text: string) =>
    new Set(text.match(/\btatemono_\w+/g)?.map((name) => name.replace(/_(bucket|sum|count)$/, '')));

  it.each(['deploy/prometheus/alerts.yml', 'deploy/prometheus/alerts.test.yml', 'deploy/grafana/tatemono.json'])(
    'OPS-07 %s names only metrics that exist',
    (path) => {
      const used = metricsIn(read(path));
      expect(used.size).toBeGreaterThan(5);
      expect([...used].filter((name) => !documented.has(name))).toEqual([]);
    },
  );

  it('OPS-07 are all on the dashboard', () => {
    const dashboard = JSON.parse(read('deploy/grafana/tatemono.json')) as {
      panels: { id: number; targets: { expr: string }[] }[];
    };
    expect(metricsIn(dashboard.panels.flatMap(({ targets }) => targets.map(({ expr }) => expr)).join('\n'))).toEqual(
      documented,
    );
    expect(new Set(dashboard.panels.map(({ id }) => id)).size).toBe(dashboard.panels.length);
  });

  it('OPS-07 every alert says what to do, and is tested', () => {
    const { groups } = parse(read('deploy/prometheus/alerts.yml')) as {
      groups: { rules: { alert: string; expr: string; annotations: Record<string, string> }[] }[];
    };
    const { tests } = parse(read('deploy/prometheus/alerts.test.yml')) as {
      tests: { alert_rule_test: { alertname: string; exp_alerts: unknown[] }[] }[];
    };
    const rules = groups.flatMap((group) => group.rules);
    for (const { annotations } of rules) expect(Object.keys(annotations)).toEqual(['summary', 'action']);
    const fired = tests.flatMap(({ alert_rule_test }) =>
      alert_rule_test.filter(({ exp_alerts }) => exp_alerts.length > 0),
    );
    expect(new Set(fired.map(({ alertname }) => alertname))).toEqual(new Set(rules.map(({ alert }) => alert)));
  });

  it('OPS-07 are scraped at the default address', () => {
    const { scrape_configs } = parse(read('deploy/prometheus/prometheus.yml'));
    expect(scrape_configs[0].static_configs[0].targets).toEqual([`${defaults.host}:${defaults.port}`]);
  });
});

describe('the log', () => {
  const document = read('docs/reference/monitoring.md').split('## Log')[1] ?? '';
  const fields = new Set([...document.matchAll(/^\| `(\w+(?:\.\w+)?)` \|/gm)].map(([, name]) => name as string));

  it('OPS-08 has only the documented fields, and no address or input of a client', async () => {
    const lines: string[] = [];
    const options = { logLevel: 'trace', logTo: { write: (line: string) => lines.push(line) } };
    const fault = Object.assign(new Error('FAULT'), { code: 'SOME_CODE' });
    const failing = uncheckedServerOn(faultyRegistry(fault), () => Promise.reject(fault), {
      ...options,
      rateLimit: { api: 1, page: 1, mcp: 1 },
      rateStore: { key: Buffer.alloc(32), add: () => Promise.reject(fault) },
    });
    await failing.listen({ host: '127.0.0.1', port: 0 });
    const headers = { 'x-forwarded-for': '203.0.113.9', 'user-agent': 'CLIENT', cookie: 'CLIENT' };
    for (const url of [assetUrl('ASSET-JP-13-00000001'), '/japan?q=CLIENT', '/readyz']) {
      await failing.inject({ url, headers, remoteAddress: '203.0.113.10' });
    }
    await failing.close();

    const entries = lines.map((line) => JSON.parse(line) as Record<string, unknown>);
    const seen = new Set(
      entries.flatMap(({ err, ...rest }) => [
        ...Object.keys(rest),
        ...(err === undefined ? [] : ['err', ...Object.keys(err as object).map((key) => `err.${key}`)]),
      ]),
    );
    expect(seen).toEqual(fields);
    expect(lines.join('\n')).not.toMatch(/203\.0\.113\.|CLIENT/);
    for (const { msg } of entries) expect(isDocumented(String(msg)), String(msg)).toBe(true);
    expect(new Set(entries.map(({ level }) => level))).toEqual(new Set([30, 50]));
  });

  const isDocumented = (message: string) =>
    [...document.matchAll(/^\| \d\d \| `([^`]+)`/gm)].some(([, text = '']) =>
      new RegExp(
        `^${text
          .split('…')
          .map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'))
          .join('.*')}$`,
        's',
      ).test(message),
    );

  it('OPS-08 has only documented messages', () => {
    const messages = globSync('src/**/*.ts', { cwd: root })
      .map(read)
      .flatMap((text) => [
        ...text.matchAll(/\blog\.(?:error|warn|info)\(\{[^}]*\}, '([^']+)'\)/g),
        ...text.matchAll(/#onChange\([^)]*?[`'](.+?)[`']\)/g),
      ])
      .map(([, message = '']) => message.replace(/\$\{.*?\}/g, '…'));
    expect(messages.length).toBeGreaterThan(8);
    expect(messages.filter((message) => !isDocumented(message))).toEqual([]);
  });
});
