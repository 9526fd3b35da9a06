import type { Registry } from '../../../registry/registry.ts';
import type { FoundAnswer, FoundCandidate, MatchQuestion } from '../../../vocabulary/match-shapes.ts';
import type { Text } from '../catalogue/catalogue.ts';
import { CATEGORY_LABELS } from '../catalogue/labels.ts';
import type { ReconcileQuery } from './read-batch.ts';

/** So many questions are asked at once, so that other requests do not wait for a whole batch. */
const AT_ONCE = 50;

/** RCN-07: the results of a batch. `match` is true only for the verdict `match`. */
export async function answerBatch(
  registry: Registry,
  queries: readonly ReconcileQuery[],
  t: Text,
): Promise<Record<string, { result: object[] }>> {
  const results: [string, { result: object[] }][] = [];
  for (let at = 0; at < queries.length; at += AT_ONCE) {
    const some = queries.slice(at, at + AT_ONCE);
    const answers = await askAll(
      registry,
      some.map(({ question }) => question),
    );
    for (const [i, { key, isReadable }] of some.entries()) {
      const { matched, candidates } = answers[i] as FoundAnswer;
      results.push([key, { result: candidates.map((each) => toResult(each, isReadable && each.id === matched, t)) }]);
    }
  }
  return Object.fromEntries(results);
}

const NOTHING: FoundAnswer = { verdict: 'none', matched: null, candidates: [] };

/** A column of addresses is sent as `query`, so a text that no building has as its name is also read as an address. */
async function askAll(
  registry: Registry,
  questions: readonly (MatchQuestion | undefined)[],
): Promise<readonly FoundAnswer[]> {
  const first = await askGiven(registry, questions);
  const again = questions.map((question, i): MatchQuestion | undefined => {
    if (question?.name === undefined || question.address !== undefined) return undefined;
    if (first[i]?.verdict === 'match' || first[i]?.candidates.some(hasName)) return undefined;
    const { name, ...rest } = question;
    return { ...rest, address: name };
  });
  const second = await askGiven(registry, again);
  return first.map((answer, i) => (second[i]?.candidates.length ? (second[i] as FoundAnswer) : answer));
}

const hasName = ({ reasons }: FoundCandidate) => reasons.some(({ kind }) => kind === 'name');

async function askGiven(
  registry: Registry,
  questions: readonly (MatchQuestion | undefined)[],
): Promise<readonly FoundAnswer[]> {
  const given = questions.filter((question) => question !== undefined);
  const answers = (given.length === 0 ? [] : await registry.match(given)).values();
  return questions.map((question) => (question === undefined ? NOTHING : (answers.next().value as FoundAnswer)));
}

/** The name of a result: it must have one, whatever the language of the client. */
const nameOf = ({ id, nameJa, nameEn, addressJa }: Pick<FoundCandidate, 'id' | 'nameJa' | 'nameEn' | 'addressJa'>) =>
  nameJa ?? nameEn ?? addressJa ?? id;

function toResult(
  { id, nameJa, nameEn, addressJa, score, reasons, categories }: FoundCandidate,
  match: boolean,
  t: Text,
): object {
  const name = nameOf({ id, nameJa, nameEn, addressJa });
  const description = [nameEn, addressJa].filter((text) => text !== null && text !== name);
  return {
    id,
    name,
    description: description.join(', '),
    type: categories.map((category) => ({ id: category, name: CATEGORY_LABELS[category][t.lang] })),
    score: Math.round(score * 100),
    match,
    features: reasons.map(({ kind }) => ({ id: kind, value: true })),
  };
}
