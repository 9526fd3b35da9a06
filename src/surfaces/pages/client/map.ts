/** Replaces a static drawing with a map when it comes into view, if the browser has WebGL. */

/** Loading starts a little before a map is seen. */
const NEAR = '200px';

const observer = new IntersectionObserver(
  (entries) => {
    for (const { isIntersecting, target } of entries) {
      if (!isIntersecting) continue;
      observer.unobserve(target);
      // If the map fails, the static drawing stays.
      void draw(target as HTMLElement).catch(() => {});
    }
  },
  { rootMargin: NEAR },
);
for (const place of document.querySelectorAll<HTMLElement>('[data-map]')) observer.observe(place);
// client/enhance.ts replaces a list and its map in place.
document.addEventListener('listreplaced', () => {
  for (const place of document.querySelectorAll<HTMLElement>('.results [data-map]')) observer.observe(place);
});

async function draw(place: HTMLElement): Promise<void> {
  if (!hasWebGl()) return;
  const [{ drawMap }, library] = await Promise.all([import('./draw-map.ts'), import('maplibre-gl')]);
  await drawMap(library, place);
}

/** The context is given back at once: browsers limit their number. */
function hasWebGl(): boolean {
  const canvas = document.createElement('canvas');
  [canvas.width, canvas.height] = [1, 1];
  const context = canvas.getContext('webgl2', { antialias: false, depth: false });
  context?.getExtension('WEBGL_lose_context')?.loseContext();
  return context !== null;
}
