/**
 * What tells documents apart in a comparison: the id; with the type where an index has several; with the index where
 * there are several.
 */
export type DocumentKeyForm = 'id' | 'type_id' | 'index_id'

/** Every form there is. */
export const DOCUMENT_KEY_FORMS: readonly DocumentKeyForm[] = ['id', 'type_id', 'index_id']

/** A document's key. A document without a type counts as `_doc`. */
export function documentKey(
  form: DocumentKeyForm,
  document: { readonly index?: string | undefined; readonly type?: string | undefined; readonly id: string },
): string {
  switch (form) {
    case 'id':
      return document.id
    case 'type_id':
      return `${document.type ?? '_doc'}\0${document.id}`
    case 'index_id':
      return `${document.index}\0${document.id}`
  }
}
