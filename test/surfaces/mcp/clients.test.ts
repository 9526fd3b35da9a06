import { execFile } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import {
  Client,
  type ClientOptions,
  SdkHttpError,
  StreamableHTTPClientTransport,
  type StreamableHTTPClientTransportOptions,
} from '@modelcontextprotocol/client';
import { AjvJsonSchemaValidator } from '@modelcontextprotocol/client/validators/ajv';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { API_ROOT, MCP_ROOT } from '../../../src/surfaces/http/surface.ts';
import { VERSIONS } from '../../../src/surfaces/mcp/versions.ts';
import { childEnvironment } from '../../support/child-environment.ts';
import { onBothEngines } from '../../support/engines.ts';
import { gauge } from '../../support/mcp.ts';
import { record } from '../../support/records.ts';
import { assetUrl, emptyRegistry, uncheckedServerOn } from '../../support/serving.ts';
import { openSmallRegistry, SMALL, type SmallRegistry } from '../../support/small-registry.ts';
import { ask, listening } from '../../support/wire.ts';

const OWNER = '千代田不動産';

/** Each tool with arguments, and the REST request that has the same result. */
const QUESTIONS: [
  tool: string,
  args: Record<string, unknown>,
  rest: string | undefined,
  wrap?: (rest: unknown) => unknown,
][] = [
  ['search_assets', { q: 'one', type: 'office' }, `${API_ROOT}/assets?q=one&type=office`],
  ['get_asset', { id: SMALL.full }, assetUrl(SMALL.full)],
  ['get_asset_sources', { id: SMALL.full }, assetUrl(SMALL.full, '/sources'), (sources) => ({ sources })],
  ['get_owner_portfolio', { name: OWNER }, `${API_ROOT}/owners/${encodeURIComponent(OWNER)}/assets`],
  ['get_asset_reit', { id: SMALL.full }, undefined, () => ({ buildingId: SMALL.full, publications: [] })],
];

/** The same with the tool that only clients of the newer protocol see. */
const MODERN_QUESTIONS: typeof QUESTIONS = [
  ...QUESTIONS,
  ['get_area', { prefecture: 'tokyo' }, `${API_ROOT}/areas/tokyo`],
];

/** Counts validations, so that a test can prove that responses were validated. */
class CountingValidator extends AjvJsonSchemaValidator {
  checked = 0;
  override getValidator<T>(schema: Parameters<AjvJsonSchemaValidator['getValidator']>[0]) {
    const check = super.getValidator<T>(schema);
    return (value: unknown) => {
      this.checked += 1;
      return check(value);
    };
  }
}

interface Connected {
  client: Client;
  transport: StreamableHTTPClientTransport;
  validator: CountingValidator;
}

/** Runs `work` with a connected SDK client and closes it afterwards. */
async function connected(
  port: number,
  options: ClientOptions,
  work: (connected: Connected) => Promise<void>,
  transportOptions: StreamableHTTPClientTransportOptions = {},
): Promise<void> {
  const validator = new CountingValidator();
  const client = new Client({ name: 'test', version: '1' }, { jsonSchemaValidator: validator, ...options });
  const transport = new StreamableHTTPClientTransport(new URL(`http://127.0.0.1:${port}${MCP_ROOT}`), transportOptions);
  try {
    await client.connect(transport);
    await work({ client, transport, validator });
  } finally {
    await client.close();
  }
}

onBothEngines("the SDK's own client", (fresh) => {
  let small: SmallRegistry;
  let port: number;
  beforeAll(async () => {
    small = await openSmallRegistry(await fresh());
    await small.ingest([record('jreit', 'j1', { ownerPublic: OWNER }, { building: SMALL.full })]);
    await small.app.listen({ host: '127.0.0.1', port: 0 });
    port = Number(new URL(small.app.listeningOrigin).port);
  });
  afterAll(() => small.close());

  async function useTools({ client, validator }: Connected, questions: typeof QUESTIONS): Promise<void> {
    expect(client.getServerCapabilities()).toEqual({ tools: { listChanged: false } });
    expect(client.getServerVersion()).toMatchObject({ name: 'tatemono' });
    expect(client.getInstructions()).toMatch(/read-only registry of buildings/);
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name)).toEqual(questions.map(([tool]) => tool));
    for (const tool of tools) {
      expect(tool.annotations).toEqual({
        readOnlyHint: true,
        destructiveHint: false,
        idempotentHint: true,
        openWorldHint: false,
      });
    }

    for (const [i, [name, args, rest, wrap = (answer: unknown) => answer]] of questions.entries()) {
      const { content, structuredContent, isError } = await client.callTool({ name, arguments: args });
      expect(isError).toBeUndefined();
      expect(content).toEqual([{ type: 'text', text: expect.stringMatching(/\S/) }]);
      const expected = rest === undefined ? undefined : JSON.parse((await ask(port, { path: rest })).body);
      expect(structuredContent).toEqual(wrap(expected));
      expect(validator.checked).toBe(i + 1);
    }
    const missing = await client.callTool({ name: 'get_asset', arguments: { id: SMALL.unknown } });
    expect(missing).toMatchObject({ isError: true, content: [{ text: expect.stringMatching(/^not_found/) }] });
    await expect(client.callTool({ name: 'get_nothing' })).rejects.toMatchObject({ code: -32_602 });
  }

  async function useEverything(one: Connected): Promise<void> {
    const { client, transport } = one;
    await useTools(one, QUESTIONS);
    // ERA-03
    await expect(client.callTool({ name: 'get_area' })).rejects.toMatchObject({ code: -32_602 });
    expect(await client.ping()).toEqual({});

    const { sessionId, protocolVersion } = transport;
    await transport.terminateSession();
    expect(transport.sessionId).toBeUndefined();
    expect(await gauge(port, 'sessions')).toBe(0);
    // The client forgets the session that it ended, so another client reuses its ID.
    const reused = { sessionId: sessionId as string, protocolVersion: protocolVersion as string };
    const use = connected(port, {}, async ({ client: other }) => void (await other.ping()), reused);
    await expect(use).rejects.toSatisfy((error) => error instanceof SdkHttpError && error.status === 404);
  }

  it.each(VERSIONS)('MCP-02 MCP-11 MCP-16 can use every feature with version %s', async (version) => {
    await connected(port, { supportedProtocolVersions: [version] }, async (one) => {
      expect(one.client.getNegotiatedProtocolVersion()).toBe(version);
      expect(one.transport.protocolVersion).toBe(version);
      await useEverything(one);
    });
  });

  it('MCP-02 can use every feature with its default settings', async () => {
    await connected(port, {}, async (one) => {
      expect(one.client.getNegotiatedProtocolVersion()).toBe('2025-11-25');
      await useEverything(one);
    });
  });

  it('ERA-01 ERA-03 a client of 2026-07-28 can use every tool without a session', async () => {
    await connected(port, { versionNegotiation: { mode: 'auto' } }, async (one) => {
      expect(one.client.getNegotiatedProtocolVersion()).toBe('2026-07-28');
      await useTools(one, MODERN_QUESTIONS);
      expect(one.transport.sessionId).toBeUndefined();
      expect(await gauge(port, 'sessions')).toBe(0);
    });
  });

  it('MCP-03 clients of different versions do not affect each other', async () => {
    await Promise.all(
      VERSIONS.map((version) =>
        connected(port, { supportedProtocolVersions: [version] }, async ({ client, transport }) => {
          await client.listTools();
          const ids = Array.from(
            { length: 7 },
            (_, i) => [SMALL.full, SMALL.geometryOnly, SMALL.chain[2]][i % 3] as string,
          );
          const answers = await Promise.all(ids.map((id) => client.callTool({ name: 'get_asset', arguments: { id } })));
          expect(answers.map(({ structuredContent }) => (structuredContent as { id: string }).id)).toEqual(ids);
          expect(client.getNegotiatedProtocolVersion()).toBe(version);
          await transport.terminateSession();
        }),
      ),
    );
  });

  it('MCP-11 rejects a response that does not match its schema', async () => {
    const falsified: typeof fetch = async (url, init) => {
      const response = await fetch(url, init);
      const text = (await response.text()).replace(`"structuredContent":{"id"`, '"structuredContent":{"di"');
      return new Response(text === '' ? null : text, response);
    };
    await connected(
      port,
      {},
      async ({ client, transport }) => {
        await client.listTools();
        const call = client.callTool({ name: 'get_asset', arguments: { id: SMALL.full } });
        await expect(call).rejects.toThrow(/does not match the tool's output schema/);
        await transport.terminateSession();
      },
      { fetch: falsified },
    );
  });
});

describe('the public conformance suite', () => {
  const require = createRequire(import.meta.url);
  const SUITE = join(dirname(require.resolve('@modelcontextprotocol/conformance/package.json')), 'dist', 'index.js');
  let dir: string;
  beforeAll(() => {
    dir = mkdtempSync(join(tmpdir(), 'tatemono-conformance-'));
  });
  afterAll(() => rmSync(dir, { recursive: true, force: true }));

  function run(port: number, scenario: string, version: string): Promise<{ code: number; output: string }> {
    const url = `http://127.0.0.1:${port}${MCP_ROOT}`;
    const args = ['server', '--url', url, '--scenario', scenario, '--spec-version', version];
    const options = {
      cwd: dir,
      env: childEnvironment({ NO_COLOR: '1', NODE_COMPILE_CACHE: inject('compileCache') }),
      timeout: 60_000,
    };
    return new Promise((resolve) => {
      execFile(process.execPath, [SUITE, ...args], options, (error, stdout, stderr) => {
        resolve({ code: error === null ? 0 : Number(error.code ?? -1), output: stdout + stderr });
      });
    });
  }

  it.each([
    ['server-initialize', '2025-11-25', 3],
    ['server-session-lifecycle', '2025-11-25', 3],
    ['ping', '2025-11-25', 2],
    ['tools-list', '2025-11-25', 3],
    ['dns-rebinding-protection', '2025-11-25', 2],
    ['server-sse-multiple-streams', '2025-11-25', 1],
    // Responses are not event streams, so this scenario runs no checks; it only must not fail.
    ['server-sse-polling', '2025-11-25', 0],
    ['tools-list', '2026-07-28', 4],
    ['http-header-validation', '2026-07-28', 14],
    ['dns-rebinding-protection', '2026-07-28', 2],
    ['server-sse-multiple-streams', '2026-07-28', 1],
  ])('MCP-01 ERA-01 passes %s of %s', async (scenario, version, checks) => {
    await listening(uncheckedServerOn(emptyRegistry), async (port) => {
      const { code, output } = await run(port, scenario, version);
      expect(output).toContain(`Passed: ${checks}/${checks}, 0 failed, 0 warnings`);
      expect(output).not.toMatch(/FAILURE|WARNING/);
      expect(code).toBe(0);
    });
    expect(readdirSync(dir)).toEqual([]);
  });

  /** Checks that need features which this server does not have: prompts, resources, tools of the suite. */
  it.each([
    [
      'server-stateless',
      [
        'sep-2575-server-rejects-undeclared-capability',
        'sep-2575-missing-capability-http-400',
        'sep-2575-http-server-no-independent-requests-on-stream',
        'sep-2575-server-no-log-without-loglevel',
      ],
    ],
    [
      'caching',
      [
        'sep-2549-prompts-list-caching-hints',
        'sep-2549-resources-list-caching-hints',
        'sep-2549-resources-templates-list-caching-hints',
      ],
    ],
  ])('ERA-01 fails %s only where it tests other features', async (scenario, expected) => {
    await listening(uncheckedServerOn(emptyRegistry), async (port) => {
      const { output } = await run(port, scenario, '2026-07-28');
      const failed = [...output.matchAll(/\[(\S+) *\] \S*FAILURE/g)].map(([, check]) => check);
      expect([...new Set(failed)]).toEqual(expected);
      expect(output).toMatch(/SUCCESS/);
    });
  });

  it('reports a failing server', async () => {
    await listening(uncheckedServerOn(emptyRegistry), async (port) => {
      expect(await run(port, 'prompts-list', '2025-11-25')).toMatchObject({
        code: 1,
        output: expect.stringContaining('FAILURE'),
      });
    });
  });
});
