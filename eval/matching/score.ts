/** A pair of footprints of two sources, and whether they are one building according to a person. */
export interface Label {
  set: string;
  plateau: string;
  osm: string;
  /**
   * `either`: one source drew as one building what the other drew as several, none of which is clearly its body. To join the one
   * with any of the several is right, and enough.
   */
  label: 'same' | 'different' | 'either';
  why: string;
}

export interface Pair {
  plateau: string;
  osm: string;
}

export interface Score {
  right: number;
  wrong: number;
  missed: number;
  /** The decisions that differ from the labels, one line each. */
  disagreements: string[];
}

export function score(labels: readonly Label[], decided: readonly Pair[]): Score {
  const nameOf = ({ plateau, osm }: Pair) => `plateau ${plateau} and osm ${osm}`;
  const byName = new Map(labels.map((label) => [nameOf(label), label]));
  const found = new Set(decided.map(nameOf));
  const result: Score = { right: 0, wrong: 0, missed: 0, disagreements: [] };
  for (const pair of decided) {
    const label = byName.get(nameOf(pair));
    if (label !== undefined && label.label !== 'different') result.right++;
    else {
      result.wrong++;
      result.disagreements.push(`wrong: ${nameOf(pair)} (${label?.why ?? 'not labelled'})`);
    }
  }
  const joined = new Set(decided.flatMap(({ plateau, osm }) => [`plateau ${plateau}`, `osm ${osm}`]));
  const asked = new Set<string>();
  for (const label of labels) {
    const [plateau, osm] = [`plateau ${label.plateau}`, `osm ${label.osm}`];
    const isMissed =
      label.label === 'same'
        ? !found.has(nameOf(label))
        : label.label === 'either' && !joined.has(plateau) && !joined.has(osm);
    if (!isMissed || (label.label === 'either' && (asked.has(plateau) || asked.has(osm)))) continue;
    asked.add(plateau).add(osm);
    result.missed++;
    result.disagreements.push(`missed: ${nameOf(label)} (${label.why})`);
  }
  return result;
}

export function describe({ right, wrong, missed }: Score): string {
  const share = (part: number, whole: number) => (whole === 0 ? 1 : part / whole);
  const [precision, recall] = [share(right, right + wrong), share(right, right + missed)];
  const f1 = share(2 * precision * recall, precision + recall);
  return `precision ${precision.toFixed(3)}, recall ${recall.toFixed(3)}, F1 ${f1.toFixed(3)} (${right} right, ${wrong} wrong, ${missed} missed)`;
}
