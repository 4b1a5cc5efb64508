/** A container on the water, in colours that are seen on light and on dark. */
export const ICON = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32">
<rect x="4" y="7" width="24" height="13" rx="2" fill="#1f6fb5"/>
<path d="M9 10v7M13 10v7M18 10v7M22 10v7" stroke="#fff" stroke-width="1.8" stroke-linecap="round"/>
<path d="M3 25c2.2 0 2.2-1.6 4.4-1.6S9.600 25 11.700 25s2.200-1.600 4.300-1.600S18.200 25 20.300 25s2.200-1.600 4.400-1.600S26.800 25 29 25" fill="none" stroke="#2f9e8f" stroke-width="2.200" stroke-linecap="round"/>
</svg>
`;
