import { YEN_UNIT, type YenUnit } from '../../vocabulary/yen-scales.ts';

/** The units that a header, a caption or a line states for the numbers below it. */
export interface Units {
  money?: YenUnit;
  area?: 'm2' | '坪';
  rate?: '%';
}

/** A price per area or per share is no amount. */
const PER = /(?:百万|千|億|万)?円\s*[/／]\s*\S+/gu;
const MONEY = new RegExp(`${YEN_UNIT}|jpy$`, 'u');
const AREA = /m2|平方メートル|坪/u;
const RATE = /%|パーセント/u;

export function unitsIn(text: string): Units {
  const plain = text.slice(0, 2_000).normalize('NFKC').toLowerCase().replace(/\s+/gu, '').replace(PER, '');
  const money = MONEY.exec(plain)?.[0];
  const area = AREA.exec(plain)?.[0];
  return {
    ...(money === undefined ? {} : { money: (money === 'jpy' ? '円' : money) as YenUnit }),
    ...(area === undefined ? {} : { area: area === '坪' ? '坪' : 'm2' }),
    ...(RATE.test(plain) ? { rate: '%' } : {}),
  };
}

const STATED = /単位\s*[:は]?\s*[(「]?([^()。」]{1,40})/u;
const ONE = `(?:${YEN_UNIT}|m2|%)`;
const ALONE = new RegExp(`^\\(?\\s*${ONE}(?:\\s*[,、・/]\\s*${ONE})*\\s*\\)?$`, 'u');

/** Units of a whole table, from lines that say so: （単位：百万円、㎡）, or a line that is nothing but a unit. */
export function unitsAbove(lines: readonly string[]): Units {
  const units: Units = {};
  for (const line of lines) {
    const plain = line.slice(0, 500).normalize('NFKC').trim();
    const stated = STATED.exec(plain)?.[1] ?? (ALONE.test(plain) ? plain : undefined);
    if (stated !== undefined) Object.assign(units, unitsIn(stated));
  }
  return units;
}
