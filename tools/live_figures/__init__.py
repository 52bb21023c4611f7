"""Figures of the tutorial that readers touch.

A figure NAME is docs/figures/NAME.js, a module whose function ``mount(root)`` draws it in an element and returns an
object with the figure's state; docs/figures/shared has what figures share. docs/figures/drawn/NAME.svg is the figure's
static form, which GitHub and print show. A page includes the figure as an image, and the site replaces the image by the
drawing, and the drawing by the live figure:

    ![What the drawing shows.](../figures/drawn/NAME.svg "The caption.")

    directive    the Sphinx extension that replaces the images, and copies modules and styles
    kernels      modules of JavaScript, translated from the library's kernels; figures import them as ./NAME_kernels.js
                 lookup_kernels has those of the figures of look-ups
    chance       random factors, and what those that work have in common
    svg          what the drawings have in common: the palette, boards, rows of bits
    drawings     the drawings, whose squares and numbers are the library's answers; tools/figures.py writes them.
                 lookup_drawings has those of the figures of look-ups
"""
