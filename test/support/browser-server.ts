import { execFile } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { promisify } from 'node:util';
import { chromium } from 'playwright-core';
import type { TestProject } from 'vitest/node';
import { childEnvironment } from './child-environment.ts';

const run = promisify(execFile);

declare module 'vitest' {
  interface ProvidedContext {
    /** Returns the address of the browser of this run, which starts on the first request; 404 if this machine has none. */
    browserUrl: string;
  }
}

interface Started {
  address: string;
  stop(): Promise<void>;
}

/** One real Chromium for the whole run, started on demand and removed without traces. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  let started: Promise<Started> | undefined;
  let isMissing = false;
  const server = createServer((_request, response) => {
    started ??= startBrowser();
    started.then(
      ({ address }) => response.end(address),
      (error: unknown) => {
        isMissing = !HAS_BUNDLED && String(error).includes("'chrome' is not found");
        response.writeHead(isMissing ? 404 : 500).end(String(error));
      },
    );
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  project.provide('browserUrl', `http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  return async () => {
    server.close();
    if (isMissing) console.warn(`Tests in a browser were skipped: ${NO_BROWSER}`);
    await started?.then(
      ({ stop }) => stop(),
      () => {},
    );
  };
}

/** The package has a Chromium for this platform only; elsewhere a Chrome is usually installed. */
const HAS_BUNDLED = process.platform === 'linux' && process.arch === 'x64';
const NO_BROWSER =
  'npm has no Chromium for this machine, and none is installed. Install one, or name it in CHROMIUM_PATH.';

/** WebGL on machines without a graphics card, and only WebGL: emulating one for whole pages costs several times as much as drawing them. */
const SOFTWARE_GRAPHICS = [
  '--use-gl=angle',
  '--use-angle=swiftshader',
  '--enable-unsafe-swiftshader',
  '--ignore-gpu-blocklist',
  '--disable-gpu-compositing',
  '--disable-gpu-rasterization',
];

export async function startBrowser(): Promise<Started> {
  const root = mkdtempSync(join(tmpdir(), 'tatemono-browser-'));
  const clear = () => rmSync(root, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 });
  try {
    const { settings, ...found } = await findChromium(root);
    const env = childEnvironment({ ...settings, HOME: root, TMPDIR: root }) as Record<string, string>;
    const browser = await chromium.launchServer({ ...found, args: SOFTWARE_GRAPHICS, env, host: '127.0.0.1' });
    const stop = async () => {
      await browser.close();
      clear();
    };
    return { address: browser.wsEndpoint(), stop };
  } catch (error) {
    clear();
    throw error;
  }
}

interface Chromium {
  executablePath?: string;
  channel?: string;
  settings: Record<string, string>;
}

async function findChromium(root: string): Promise<Chromium> {
  const installed = process.env.CHROMIUM_PATH || onPath();
  if (installed !== undefined) return { executablePath: installed, settings: {} };
  if (!HAS_BUNDLED) return { channel: 'chrome', settings: {} };
  return unpack(root);
}

const NAMES = ['chromium-headless-shell', 'chromium', 'chromium-browser', 'google-chrome-stable', 'google-chrome'];

function onPath(): string | undefined {
  const folders = (process.env.PATH ?? '').split(delimiter).filter((folder) => folder !== '');
  return NAMES.flatMap((name) => folders.map((folder) => join(folder, name))).find((file) => existsSync(file));
}

/**
 * The package unpacks into the folder for temporary files. If it detects an Amazon machine, it also unpacks the system
 * libraries that a minimal machine lacks.
 */
async function unpack(root: string): Promise<Chromium> {
  const script = "import chromium from '@sparticuz/chromium'; process.stdout.write(await chromium.executablePath())";
  const { stdout: executablePath } = await run(process.execPath, ['--input-type=module', '--eval', script], {
    cwd: import.meta.dirname,
    env: childEnvironment({ TMPDIR: root, AWS_EXECUTION_ENV: 'AWS_Lambda_nodejs24.x' }),
  });
  return { executablePath, settings: { ...fontSettings(root), ...(await librarySettings(root, executablePath)) } };
}

/** The fonts of the machine and of the package. */
function fontSettings(root: string): Record<string, string> {
  const file = join(root, 'fonts.conf');
  mkdirSync(join(root, 'font-cache'));
  writeFileSync(
    file,
    `<?xml version="1.0"?><!DOCTYPE fontconfig SYSTEM "urn:fontconfig:fonts.dtd"><fontconfig>
<cachedir>${join(root, 'font-cache')}</cachedir>
<include ignore_missing="yes">/etc/fonts/fonts.conf</include>
<dir>${join(root, 'fonts')}</dir>
</fontconfig>
`,
  );
  return { FONTCONFIG_FILE: file };
}

/** Uses the unpacked libraries only if the browser does not start with those of the machine. */
async function librarySettings(root: string, executablePath: string): Promise<Record<string, string>> {
  const starts = run(executablePath, ['--version'], { env: childEnvironment({ HOME: root, TMPDIR: root }) });
  return starts.then(
    () => ({}),
    () => ({ LD_LIBRARY_PATH: join(root, 'al2023', 'lib') }),
  );
}
