import { contentType } from '../interface/dialect/refusals.ts';

/** The content type as a dialect writes it; `text/plain` if a dialect cannot have it. */
export function readType(headers: Headers): string {
  const type = (headers.get('content-type') ?? '').toLowerCase().replace(/\s*;\s*/g, '; ');
  return contentType.test(type) ? type : 'text/plain';
}

/** The names that a header lists, such as those of methods. */
export function namesIn(header: string | null): string[] {
  return (header ?? '').split(',').flatMap((name) => name.trim() || []);
}
