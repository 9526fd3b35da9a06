/** Conveniences for pages that also work without scripts. */

const FILTERS = 'form[data-filters]';
/** Arrow keys in a list of choices or a number field make many changes. */
const PAUSE_MS = 250;
/** What a list shows besides its form. */
const LIST_PARTS = ['head > title', 'nav.crumbs', 'main h1', '.results', '.list-columns > .beside', '.languages'];

let listRequest = new AbortController();
let pause = 0;

/** The address of a filter form, without its empty fields. */
function addressOf(form: HTMLFormElement): string {
  const values = new Map<string, string[]>();
  for (const [name, value] of new FormData(form)) {
    if (typeof value === 'string' && value.trim() !== '') values.set(name, [...(values.get(name) ?? []), value]);
  }
  const query = [...values].map(([name, all]) => `${name}=${all.map(encodeURIComponent).join(',')}`).join('&');
  return `${form.getAttribute('action')}${query === '' ? '' : `?${query}`}`;
}

/** UI-53: shows another list in place. The form keeps its focus, its other fields and what is open. */
async function showList(url: string, isNew: boolean): Promise<void> {
  clearTimeout(pause);
  listRequest.abort();
  listRequest = new AbortController();
  const { signal } = listRequest;
  document.querySelector('.results')?.setAttribute('aria-busy', 'true');
  try {
    const response = await fetch(url, { signal, headers: { accept: 'text/html' } });
    if (!response.ok) throw new Error('no list');
    const next = new DOMParser().parseFromString(await response.text(), 'text/html');
    if (signal.aborted) return;
    if (isNew) history.pushState(null, '', url);
    replaceParts(next, isNew);
  } catch {
    if (!signal.aborted) location.assign(url);
  }
}

function replaceParts(next: Document, keepsFields: boolean): void {
  rememberCompared();
  const focused = document.activeElement;
  const openAreas = document.querySelector<HTMLDetailsElement>('.inside details')?.open;
  for (const map of document.querySelectorAll('.results [data-map]')) map.dispatchEvent(new Event('removed'));
  // The fields of the form may be newer than the list, unless the address has changed otherwise.
  const parts = keepsFields
    ? [`${FILTERS} [data-part=uses]`, `${FILTERS} [data-part=availability]`, `${FILTERS} summary`]
    : [FILTERS];
  for (const selector of [...LIST_PARTS, ...parts]) {
    const [old, fresh] = [document.querySelectorAll(selector), next.querySelectorAll(selector)];
    for (const [i, part] of fresh.entries()) old[i]?.replaceWith(document.adoptNode(part));
  }
  const areas = document.querySelector<HTMLDetailsElement>('.inside details');
  if (areas !== null && openAreas !== undefined) areas.open = openAreas;
  if (!keepsFields) openFilters();
  if (focused instanceof HTMLInputElement && !focused.isConnected) fieldLike(focused)?.focus({ preventScroll: true });
  restoreCompared();
  const told = document.querySelector('.total') ?? document.querySelector('.former .notice');
  announce(told?.textContent ?? '');
  document.dispatchEvent(new Event('listreplaced'));
}

const fieldLike = ({ name, value }: HTMLInputElement) =>
  document.querySelector<HTMLInputElement>(`${FILTERS} [name="${CSS.escape(name)}"][value="${CSS.escape(value)}"]`);

/** A live region that stays while the list is replaced. */
const said = document.createElement('p');
said.className = 'sr';
said.setAttribute('role', 'status');

function announce(text: string): void {
  said.textContent = text;
}

/** UI-52: "More filters" starts as the reader left it, otherwise open on a wide screen: on a phone, results come first. */
const OPEN_KEY = 'more-filters';

function openFilters(): void {
  const details = document.querySelector<HTMLDetailsElement>(`${FILTERS} details`);
  if (details === null) return;
  const left = stored(() => sessionStorage.getItem(OPEN_KEY));
  details.open = left == null ? matchMedia('(min-width: 60.01rem)').matches : left === 'open';
  details.dataset.ready = '';
}

/** Storage may be forbidden. */
function stored<T>(use: () => T): T | undefined {
  try {
    return use();
  } catch {
    return undefined;
  }
}

if (document.querySelector(FILTERS) !== null) {
  document.querySelector('main')?.append(said);
  openFilters();
  document.addEventListener('change', ({ target }) => {
    const form = target instanceof Element ? target.closest<HTMLFormElement>(FILTERS) : null;
    if (form === null) return;
    clearTimeout(pause);
    pause = setTimeout(() => void showList(addressOf(form), true), PAUSE_MS);
  });
  document.addEventListener('submit', (event) => {
    const form = event.target;
    if (!(form instanceof HTMLFormElement) || !form.matches(FILTERS)) return;
    event.preventDefault();
    void showList(addressOf(form), true);
  });
  document.addEventListener('click', ({ target }) => {
    const summary = target instanceof Element ? target.closest(`${FILTERS} summary`) : null;
    const details = summary?.parentElement;
    if (!(details instanceof HTMLDetailsElement)) return;
    // The click toggles it afterwards.
    stored(() => sessionStorage.setItem(OPEN_KEY, details.open ? 'closed' : 'open'));
  });
  addEventListener('popstate', () => void showList(`${location.pathname}${location.search}`, false));
}

const COMPARE = 'form[data-compare]';
/** The buildings ticked for the comparison, while their list is replaced. */
let compared: string[] = [];

function rememberCompared(): void {
  const form = document.querySelector<HTMLFormElement>(COMPARE);
  if (form !== null) compared = new FormData(form).getAll('id').map(String);
}

/** UI-68: ticks the same buildings again; those that the list no longer has stay selected in hidden fields. */
function restoreCompared(): void {
  const form = document.querySelector<HTMLFormElement>(COMPARE);
  if (form === null) return;
  for (const id of compared) {
    const box = boxesOf(form).find(({ value }) => value === id);
    if (box !== undefined) box.checked = true;
    else {
      const field = document.createElement('input');
      Object.assign(field, { type: 'hidden', name: 'id', value: id });
      form.append(field);
    }
  }
  countCompared(form);
}

const boxesOf = (form: HTMLFormElement): HTMLInputElement[] =>
  [...form.elements].filter(
    (each): each is HTMLInputElement => each instanceof HTMLInputElement && each.type === 'checkbox',
  );

/** UI-68: at most as many boxes as the comparison takes; the form says how many are ticked. */
function countCompared(form: HTMLFormElement): void {
  const { compare, selected = '' } = form.dataset;
  const boxes = boxesOf(form);
  const ticked = new FormData(form).getAll('id').length;
  for (const box of boxes) box.disabled = !box.checked && ticked >= Number(compare);
  const status = form.querySelector('[role=status]');
  if (status !== null && ticked > 0) status.textContent = selected.replace('{count}', String(ticked));
}

document.addEventListener('change', ({ target }) => {
  if (target instanceof HTMLInputElement && target.form?.matches('[data-compare]')) countCompared(target.form);
});
// The browser may restore ticked boxes.
addEventListener('pageshow', () => {
  for (const form of document.querySelectorAll<HTMLFormElement>(COMPARE)) countCompared(form);
});

interface CopyWords {
  copy: string;
  copied: string;
  selected: string;
  copyValue: string;
  valueForm: string;
}

/** How long a button says that it has copied. */
const SAID_MS = 2_000;

/** UI-70: copy buttons. All their words come from the section about citing. */
const cite = document.querySelector<HTMLElement>('[data-words]');
if (cite !== null) {
  const words: CopyWords = JSON.parse(cite.dataset.words ?? '{}');
  const record: Record<string, string> = JSON.parse(cite.dataset.record ?? '{}');
  const status = document.createElement('p');
  status.className = 'sr';
  status.setAttribute('role', 'status');
  cite.append(status);

  const addButton = (after: Element, label: string, text: () => string, source: Element) => {
    const button = document.createElement('button');
    button.type = 'button';
    button.className = 'quiet copy';
    button.textContent = words.copy;
    button.setAttribute('aria-label', label);
    button.addEventListener('click', async () => {
      let said = words.copied;
      try {
        await navigator.clipboard.writeText(text());
      } catch {
        // Without permission, select the text so that it can be copied by hand.
        getSelection()?.selectAllChildren(source);
        said = words.selected;
      }
      button.textContent = said;
      status.textContent = said;
      setTimeout(() => {
        button.textContent = words.copy;
        status.textContent = '';
      }, SAID_MS);
    });
    after.after(button);
  };

  const textOf = (element: Element | null | undefined) => (element?.textContent ?? '').replace(/\s+/g, ' ').trim();
  for (const text of document.querySelectorAll<HTMLElement>('[data-copy]')) {
    addButton(text.closest('a') ?? text, text.dataset.copy ?? words.copy, () => textOf(text), text);
  }
  for (const row of document.querySelectorAll<HTMLTableRowElement>('.facts tr[id]')) {
    const [heading, value] = [row.querySelector('th'), row.querySelector('td .figure')];
    const [chip, day] = [row.querySelector('.evidence .chip'), row.querySelector('.evidence time')];
    if (heading === null || value === null || chip === null) continue;
    const named = heading.cloneNode(true) as HTMLElement;
    named.querySelector('.ja')?.remove();
    const parts: Record<string, string> = {
      ...record,
      label: textOf(named),
      value: [value, value.parentElement?.querySelector('.unit')].map(textOf).join(' ').trim(),
      source: textOf(chip),
      day: textOf(day),
    };
    const fill = (form: string) => form.replace(/\{(\w+)\}/g, (_, name: string) => parts[name] ?? '');
    addButton(row.querySelector('.evidence') as Element, fill(words.copyValue), () => fill(words.valueForm), value);
  }
}

export {};
