/** The environment of a command that a test starts: no setting but those given, whatever this process has. */
export function childEnvironment(settings: Record<string, string>): NodeJS.ProcessEnv {
  const { PATH, HOME, TMPDIR } = process.env;
  return { PATH, HOME, TMPDIR, ...settings };
}
