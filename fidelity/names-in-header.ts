/** The names that a header lists, such as those of methods. */
export function namesIn(header: string | null): string[] {
  return (header ?? '').split(',').flatMap((name) => name.trim() || []);
}
