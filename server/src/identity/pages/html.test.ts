import { describe, expect, test } from 'vitest'
import { html } from './html.ts'
import { errorPage } from './notice-pages.ts'
import { documentOf, pageHeaders } from './page.ts'

describe('html', () => {
  test('text is escaped, in elements and in attributes', () => {
    const nasty = `<b a="1" c='2'>&amp;</b>`
    const safe = '&lt;b a=&quot;1&quot; c=&#39;2&#39;&gt;&amp;amp;&lt;/b&gt;'
    expect(html`<p title="${nasty}">${nasty}</p>`.text).toBe(`<p title="${safe}">${safe}</p>`)
  })

  test('markup of ours is woven in, lists too; nothing is nothing', () => {
    const items = ['a', '<'].map((item) => html`<li>${item}</li>`)
    expect(html`<ul>${items}</ul>${undefined}${false}${null}${0}`.text).toBe(
      '<ul><li>a</li><li>&lt;</li></ul>0',
    )
  })
})

describe('pages', () => {
  test('allow exactly their own style, by its digest', async () => {
    const page = errorPage({ status: 400, heading: 'H', text: 'T' })
    const [, style = ''] = /<style>([\s\S]*)<\/style>/.exec(documentOf(page)) ?? []
    const digest = Buffer.from(
      await crypto.subtle.digest('SHA-256', new TextEncoder().encode(style)),
    ).toString('base64')
    expect(pageHeaders(page)['content-security-policy']).toContain(`style-src 'sha256-${digest}'`)
  })
})
