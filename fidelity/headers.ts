import { contentType } from '../interface/dialect/cell-schemas.ts';

/** A content type in one spelling: in lower case, with a space after each semicolon. */
export function normalizeType(type: string): string {
  const parts = type.toLowerCase().split(';');
  return parts.map((part) => part.trim()).join('; ');
}

/** The content type as a dialect writes it; `text/plain` if a dialect cannot have it. */
export function readType(headers: Headers): string {
  const type = normalizeType(headers.get('content-type') ?? '');
  return contentType.test(type) ? type : 'text/plain';
}

/** The names that a header lists, such as those of methods. */
export function namesIn(header: string | null): string[] {
  return (header ?? '').split(',').flatMap((name) => name.trim() || []);
}
