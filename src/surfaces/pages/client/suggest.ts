/** Turns search boxes into comboboxes, following the ARIA pattern "editable combobox with list autocomplete". */

interface Row {
  kind: string;
  label: string;
  detail: string;
  path: string;
  count?: number;
  matched?: string;
  labelEn?: string;
  detailEn?: string;
}

/** The words of the page's language, from its catalogue. */
type Words = Record<
  'suggestions' | 'area' | 'building' | 'none' | 'one' | 'several' | 'oneBuilding' | 'buildings',
  string
>;

const PAUSE_MS = 150;
const MAX_ROWS = 5;
const JAPANESE = /[\p{sc=Hira}\p{sc=Kana}\p{sc=Han}]/u;
// Android keyboards also compose Latin words, letter by letter; that is typing, not conversion into Japanese.
const isTyping = (text: string | null) => /Android/.test(navigator.userAgent) && /^[ -~]*$/.test(text ?? '');

function set(element: Element, attributes: Record<string, string>): void {
  for (const name in attributes) element.setAttribute(name, attributes[name] as string);
}

const PAGE_LANGUAGE = document.documentElement.lang;

/** `isName`: Latin letters are then English. */
function text(name: string, content: string, isName = false): HTMLElement {
  const span = document.createElement('span');
  span.className = name;
  span.textContent = content;
  const lang = JAPANESE.test(content) ? 'ja' : isName ? 'en' : PAGE_LANGUAGE;
  if (lang !== PAGE_LANGUAGE) span.lang = lang;
  return span;
}

const counted = (count: number, one: string, several: string) =>
  count === 1 ? one : several.replace('{count}', count.toLocaleString('en'));

/** UI-04: the language that the address names. */
const named = /[?&](lang=(?:en|ja))(?:&|$)/.exec(location.search)?.[1];
const KEPT_LANGUAGE = named === undefined ? '' : `?${named}`;

/** UI-40: the name that matched, or the English name of an area, beside the Japanese one. */
function option(row: Row, id: string, words: Words): HTMLAnchorElement {
  const { kind, label, path, count } = row;
  const isEnglish = PAGE_LANGUAGE !== 'ja';
  const also = kind === 'area' ? (isEnglish ? row.labelEn : undefined) : row.matched;
  const detail = isEnglish && row.detailEn !== undefined ? row.detailEn : row.detail;
  const link = document.createElement('a');
  set(link, {
    id,
    href: `${path}${KEPT_LANGUAGE}`,
    role: 'option',
    tabindex: '-1',
    'aria-selected': 'false',
    'data-kind': kind,
  });
  const names = text('label', label, kind === 'building');
  if (also !== undefined) names.append(' ', text('matched', also, true));
  link.append(names, ' ', text('detail', detail), ' ', text('kind', kind === 'area' ? words.area : words.building));
  if (count !== undefined) link.append(' ', text('count', counted(count, words.oneBuilding, words.buildings)));
  return link;
}

/** Says that there are none; it cannot be selected. */
function noOption(words: Words): HTMLElement {
  const row = text('none', words.none);
  set(row, { role: 'option', 'aria-disabled': 'true', 'aria-selected': 'false' });
  return row;
}

function enhance(form: HTMLFormElement, input: HTMLInputElement): void {
  const list = document.createElement('div');
  const status = document.createElement('p');
  const id = `${input.id}-list`;
  const words: Words = JSON.parse(form.dataset.suggest ?? '{}');
  set(list, { id, class: 'suggestions', role: 'listbox', 'aria-label': words.suggestions, hidden: '' });
  set(status, { class: 'sr', role: 'status', 'aria-live': 'polite' });
  set(input, { role: 'combobox', 'aria-autocomplete': 'list', 'aria-controls': id, 'aria-expanded': 'false' });
  form.append(list, status);

  let options: HTMLAnchorElement[] = [];
  /** The query that the options are for. */
  let loaded = '';
  let selected = -1;
  let isComposing = false;
  let isPending = false;
  let timer = 0;
  let request = new AbortController();

  function select(index: number): void {
    options[selected]?.setAttribute('aria-selected', 'false');
    selected = index;
    const chosen = options[index];
    chosen?.setAttribute('aria-selected', 'true');
    chosen?.scrollIntoView({ block: 'nearest' });
    if (chosen) input.setAttribute('aria-activedescendant', chosen.id);
    else input.removeAttribute('aria-activedescendant');
  }

  function show(isOpen: boolean, announcement: string): void {
    select(-1);
    list.hidden = !isOpen;
    input.setAttribute('aria-expanded', String(isOpen));
    status.textContent = announcement;
  }

  function open(): void {
    const { length } = options;
    show(true, length === 0 ? words.none : counted(length, words.one, words.several));
  }

  function cancel(): void {
    clearTimeout(timer);
    request.abort();
    isPending = false;
  }

  function dismiss(): void {
    cancel();
    show(false, '');
  }

  function clear(): void {
    dismiss();
    loaded = '';
    options = [];
    list.replaceChildren();
  }

  async function load(q: string): Promise<void> {
    request = new AbortController();
    const { signal } = request;
    try {
      const response = await fetch(`/japan/suggest?${new URLSearchParams({ q })}`, { signal });
      const rows: Row[] = response.ok && (await response.json()).rows;
      const loadedOptions = rows
        .filter(({ path }) => path.startsWith('/japan/'))
        .slice(0, MAX_ROWS)
        .map((row, i) => option(row, `${id}-${i}`, words));
      if (signal.aborted) return;
      isPending = false;
      options = loadedOptions;
      loaded = q;
      list.replaceChildren(...(options.length > 0 ? options : [noOption(words)]));
      open();
    } catch {
      if (!signal.aborted) clear();
    }
  }

  /** Shows the loaded suggestions if they fit the query, otherwise requests them after a pause. */
  function refresh(pause: number): void {
    cancel();
    const q = input.value.trim();
    if (q === '') clear();
    else if (isComposing || document.activeElement !== input) return;
    else if (q === loaded) open();
    else {
      select(-1);
      isPending = true;
      timer = setTimeout(load, pause, q);
    }
  }

  function compose(): void {
    isComposing = true;
    clear();
  }

  function endComposition(): void {
    isComposing = false;
    refresh(PAUSE_MS);
  }

  input.addEventListener('compositionstart', compose);
  input.addEventListener('compositionend', endComposition);
  input.addEventListener('input', (event) => {
    const { isComposing, data } = event as InputEvent;
    if (isComposing && !isTyping(data)) compose();
    else endComposition();
  });
  input.addEventListener('focus', () => refresh(0));

  input.addEventListener('keydown', (event) => {
    const { key } = event;
    const last = options.length - 1;
    // Safari ends the composition before it reports the Enter that ended it, with key code 229.
    if (isComposing || event.keyCode === 229) {
      if (key === 'Enter') event.preventDefault();
      return;
    }
    if (key === 'Escape') {
      if (list.hidden && !isPending) return;
      dismiss();
    } else if (key === 'Enter') {
      if (selected < 0) return;
      options[selected]?.click();
    } else if (event.ctrlKey || event.metaKey || event.shiftKey) return;
    else if (key === 'ArrowDown' || key === 'ArrowUp') {
      const step = key === 'ArrowDown' ? 1 : -1;
      if (list.hidden && !isPending) refresh(0);
      if (!list.hidden && last >= 0)
        select(selected < 0 && step < 0 ? last : (selected + step + last + 1) % (last + 1));
    } else if (!list.hidden && last >= 0 && key === 'Home') select(0);
    else if (!list.hidden && last >= 0 && key === 'End') select(last);
    else return;
    event.preventDefault();
  });

  // Pressing a row must not take the focus from the input: the list would close before the click.
  list.addEventListener('mousedown', (event) => event.preventDefault());
  list.addEventListener('click', (event) => {
    if (event.target !== list && !event.ctrlKey && !event.metaKey && !event.shiftKey) dismiss();
  });
  form.addEventListener('focusout', ({ relatedTarget }) => {
    if (relatedTarget !== input && !list.contains(relatedTarget as Node | null)) dismiss();
  });
  form.addEventListener('submit', dismiss);

  // The user may have started typing before this script loaded.
  refresh(0);
}

for (const form of document.querySelectorAll<HTMLFormElement>('form[data-suggest]')) {
  const input = form.querySelector<HTMLInputElement>('input[type=search]');
  if (input) enhance(form, input);
}
