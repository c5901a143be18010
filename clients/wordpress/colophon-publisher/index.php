<?php // Nothing is listed here.
