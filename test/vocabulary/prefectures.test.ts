import { describe, expect, it } from 'vitest';
import { prefecturesAround } from '../../src/vocabulary/prefectures.ts';

describe('the possible prefectures of a position', () => {
  it.each<[string, number, number, string[]]>([
    ['Tokyo Station', 139.767, 35.681, ['13']],
    ['Niiza, between Saitama and Tokyo', 139.55, 35.77, ['11', '13']],
    ['Rokugo, between Kanagawa and Tokyo', 139.7, 35.54, ['13', '14']],
    ['Sapporo', 141.35, 43.06, ['01']],
    ['Naha', 127.68, 26.21, ['47']],
    ['Chichijima', 142.19, 27.09, ['13']],
    ['Mount Mikuni, where Saitama, Gunma and Nagano meet', 138.71, 36.01, ['10', '11', '20']],
    ['the open sea', 150, 30, []],
  ])('PLC-02 %s', (_, lon, lat, expected) => {
    expect(prefecturesAround([lon, lat])).toEqual(expected);
  });
});
