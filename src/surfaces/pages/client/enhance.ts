/** What makes pages that work without it a little quicker to use. */

/** A form of filters is sent when something is ticked or chosen, without what is empty. */
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
// A page that comes back from the browser's memory has its fields as they were left.
addEventListener('pageshow', () => {
  for (const field of document.querySelectorAll<HTMLInputElement>('form[data-filters] :disabled'))
    field.disabled = false;
});

/** On a phone the filters do not stand before the results. */
if (matchMedia('(max-width: 60rem)').matches) {
  for (const details of document.querySelectorAll<HTMLDetailsElement>(
    'form[data-filters] details, .list-columns .inside details',
  )) {
    details.open = false;
  }
}

for (const text of document.querySelectorAll<HTMLElement>('[data-copy]')) {
  const button = document.createElement('button');
  button.type = 'button';
  button.className = 'quiet';
  button.textContent = 'Copy';
  button.addEventListener('click', async () => {
    try {
      await navigator.clipboard.writeText(text.textContent ?? '');
      button.textContent = 'Copied';
    } catch {
      // Not allowed here: the text is marked, so that it can be copied by hand.
      getSelection()?.selectAllChildren(text);
    }
  });
  text.after(button);
}

export {};
