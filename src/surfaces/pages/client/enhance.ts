/** Conveniences for pages that also work without scripts. */

/** Submits a filter form on every choice, without its empty fields. */
for (const form of document.querySelectorAll<HTMLFormElement>('form[data-filters]')) {
  form.addEventListener('change', (event) => {
    const { target } = event;
    const isChoice =
      target instanceof HTMLSelectElement || (target instanceof HTMLInputElement && target.type === 'checkbox');
    if (isChoice) form.requestSubmit();
  });
  form.addEventListener('submit', () => {
    for (const field of form.elements) {
      if ((field instanceof HTMLInputElement || field instanceof HTMLSelectElement) && field.value === '')
        field.disabled = true;
    }
  });
}
// A page restored from the back/forward cache still has its fields disabled.
addEventListener('pageshow', () => {
  for (const field of document.querySelectorAll<HTMLInputElement>('form[data-filters] :disabled'))
    field.disabled = false;
});

/** On a phone, filters start closed so that results come first. */
if (matchMedia('(max-width: 60rem)').matches) {
  for (const details of document.querySelectorAll<HTMLDetailsElement>(
    'form[data-filters] details, .list-columns .inside details',
  )) {
    details.open = false;
  }
}

/** UI-68: at most as many boxes as the comparison takes; the form says how many are ticked. */
for (const form of document.querySelectorAll<HTMLFormElement>('form[data-compare]')) {
  const { compare, selected = '' } = form.dataset;
  const boxes = () =>
    [...form.elements].filter(
      (each): each is HTMLInputElement => each instanceof HTMLInputElement && each.type === 'checkbox',
    );
  const update = () => {
    const ticked = boxes().filter((box) => box.checked).length;
    for (const box of boxes()) box.disabled = !box.checked && ticked >= Number(compare);
    const status = form.querySelector('[role=status]');
    if (status !== null && ticked > 0) status.textContent = selected.replace('{count}', String(ticked));
  };
  document.addEventListener('change', ({ target }) => {
    if (target instanceof HTMLInputElement && target.form === form) update();
  });
  // The browser may restore ticked boxes.
  addEventListener('pageshow', update);
}

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
