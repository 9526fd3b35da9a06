import { Type } from 'typebox';

export const closed = { additionalProperties: false } as const;

export const Nullable = <S extends object>(schema: S) => Type.Union([schema, Type.Null()]);

export const OneOf = <const V extends readonly string[]>(values: V, options = {}) =>
  Type.Unsafe<V[number]>({ type: 'string', enum: [...values], ...options });
