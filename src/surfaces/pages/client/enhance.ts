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
      // Without permission, select the text so that it can be copied by hand.
      getSelection()?.selectAllChildren(text);
    }
  });
  text.after(button);
}

export {};
