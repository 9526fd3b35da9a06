/** UI-01: the languages of the pages; the first is the default. */
export const LANGUAGES = ['en', 'ja'] as const;
export type Language = (typeof LANGUAGES)[number];

export const isLanguage = (text: string | null | undefined): text is Language => text === 'en' || text === 'ja';
