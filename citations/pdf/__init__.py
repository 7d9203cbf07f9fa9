"""Everything that opens a PDF with PyMuPDF. Free of Django: it runs in a child process."""
