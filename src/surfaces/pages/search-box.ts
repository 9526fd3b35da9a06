import { html } from './html.ts';

interface SearchBox {
  /** Of its input: there may be two on a page. */
  id: string;
  value?: string | undefined;
  large?: boolean;
}

/** PAG-06: a search of all Japan. The script `suggest` makes a combobox of it (SUG-04, SUG-05, SUG-06, SUG-07). */
export function searchBox({ id, value = '', large = false }: SearchBox) {
  return html`<form class="search${large ? ' large' : ''}" role="search" action="/japan/areas" method="get" data-suggest>
<label class="sr" for="${id}">Search all buildings by name, address or ID</label>
<input id="${id}" name="q" type="search" value="${value}" placeholder="Name, address or ID" autocomplete="off"
 autocapitalize="off" spellcheck="false" enterkeyhint="search">
<button type="submit">Search</button>
</form>`;
}
