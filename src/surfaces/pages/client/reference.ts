/** Conveniences of the API reference, which also works without scripts. Its words are in the page. */

/** The current topic may be below the visible part of a long navigation. */
const topics = document.querySelector<HTMLElement>('nav.topics');
const current = topics?.querySelector<HTMLElement>('[aria-current]');
if (topics && current) topics.scrollTop = current.offsetTop - topics.clientHeight / 2;

const MOST_BYTES = 2_000_000;
const MOST_CHARACTERS = 20_000;

/** UI-90: shows the answer of a try-it form in place; without this script the form opens the answer. */
for (const form of document.querySelectorAll<HTMLFormElement>('form[data-try]')) {
  const section = form.parentElement as HTMLElement;
  const part = (name: string) => section.querySelector<HTMLElement>(`[data-answer="${name}"]`) as HTMLElement;
  let running: AbortController | undefined;

  const show = (...names: readonly string[]) => {
    for (const name of ['sending', 'failed', 'done', 'panel']) part(name).hidden = !names.includes(name);
  };

  form.addEventListener('submit', async (event) => {
    event.preventDefault();
    running?.abort();
    const request = new AbortController();
    running = request;
    const url = addressOf(form);
    show('sending');
    const start = performance.now();
    try {
      const response = await fetch(url, { signal: request.signal, cache: 'no-store' });
      const { text, isWhole } = await readSome(response);
      const milliseconds = Math.round(performance.now() - start);
      showAnswer(section, part, response, text, isWhole);
      part('time').textContent = String(milliseconds);
      show('done', 'panel');
    } catch {
      // A newer request has replaced this one.
      if (running === request) show('failed');
    }
  });
}

/** Copy buttons, which are hidden without this script. */
for (const button of document.querySelectorAll<HTMLButtonElement>('button[data-copy-code]')) {
  button.hidden = false;
  button.addEventListener('click', async () => {
    const code = button.closest('figure')?.querySelector('code') as HTMLElement;
    try {
      await navigator.clipboard.writeText(code.textContent ?? '');
      button.textContent = button.dataset.copied ?? '';
    } catch {
      // Without permission, select the text so that it can be copied by hand.
      getSelection()?.selectAllChildren(code);
    }
  });
}

/** The address of the request, without parameters that are empty. */
function addressOf(form: HTMLFormElement): string {
  let path = form.dataset.try ?? '';
  const query = new URLSearchParams();
  for (const field of form.querySelectorAll<HTMLInputElement | HTMLSelectElement>('[data-in]')) {
    if (field.dataset.in === 'path') path = path.replace(`{${field.name}}`, () => encodeURIComponent(field.value));
    else if (field.value !== '') query.set(field.name, field.value);
  }
  return query.size === 0 ? path : `${path}?${query}`;
}

/** Reads an answer up to a limit: the buildings of a large owner are many megabytes. */
async function readSome({ body }: Response): Promise<{ text: string; isWhole: boolean }> {
  const reader = body?.getReader();
  const decoder = new TextDecoder();
  let text = '';
  for (let bytes = 0; reader !== undefined; ) {
    const { done, value } = await reader.read();
    if (done) break;
    text += decoder.decode(value, { stream: true });
    bytes += value.length;
    if (bytes > MOST_BYTES) {
      await reader.cancel();
      return { text, isWhole: false };
    }
  }
  return { text, isWhole: true };
}

function showAnswer(
  section: HTMLElement,
  part: (name: string) => HTMLElement,
  response: Response,
  text: string,
  isWhole: boolean,
) {
  const shown = isWhole ? prettyPrint(text) : text;
  part('body').textContent = shown.slice(0, MOST_CHARACTERS);
  part('cut').hidden = isWhole && shown.length <= MOST_CHARACTERS;
  part('status').textContent = `${response.status} ${response.statusText}`.trim();
  for (const name of ['url', 'whole']) (part(name) as HTMLAnchorElement).href = response.url;
  part('url').textContent = response.url;
  for (const line of section.querySelectorAll<HTMLElement>('[data-header]')) {
    const value = response.headers.get(line.dataset.header ?? '');
    line.textContent = value;
    (line.parentElement as HTMLElement).hidden = value === null;
  }
}

/** CSV stays as it is. */
function prettyPrint(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}

export {};
